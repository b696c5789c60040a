// Loaded before anything else: the wall clock is off by as many milliseconds as LINEWATCH_CLOCK_OFFSET_MS says.
const offsetMs = Number(process.env.LINEWATCH_CLOCK_OFFSET_MS);
const Real = Date;

globalThis.Date = class extends Real {
  constructor(...given) {
    super(...(given.length === 0 ? [Real.now() + offsetMs] : given));
  }

  static now() {
    return Real.now() + offsetMs;
  }
};
