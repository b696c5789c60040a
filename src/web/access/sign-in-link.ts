/** Viewers of a page, and the ways in and out. */
import { html } from 'hono/html';
import type { Fragment } from '../look/icons.ts';

/** A person who looks at the page, and what they may do. */
export interface Viewer {
  /** Null for a person at this machine who has given no name. */
  name: string | null;
  /** They have a session that they can end. */
  isSignedIn: boolean;
  /** Reason why they cannot change anything from here; null if they can. */
  whyNotChange: string | null;
  /** They have given no name, and there are users: they can sign in. */
  maySignIn: boolean;
  /** Customers they see; null for all. */
  customers: readonly string[] | null;
}

/** An entry of a list; `path` is the page after the sign-in. Null for a viewer who can do neither. */
export function signInOrOut(root: string, path: string, { name, isSignedIn, maySignIn }: Viewer): Fragment | null {
  if (isSignedIn) {
    return html`<li>
      <form method="post" action="${root}sign-out"><button class="small">Sign out ${name}</button></form>
    </li>`;
  }
  return maySignIn ? html`<li><a href="${signInLink(root, path)}">Sign in</a></li>` : null;
}

/** `path` is that of a page of ours, below the top. */
export function signInLink(root: string, path: string): string {
  return `${root}sign-in?${new URLSearchParams({ to: path }).toString()}`;
}
