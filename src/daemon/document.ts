/** What is kept of a source or a receiver: what was committed last, and the way to commit what comes next. */
export interface Document<T> {
  readonly value: T;
  commit(next: T): Promise<void>;
}
