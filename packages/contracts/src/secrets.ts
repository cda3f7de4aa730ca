/** A secret that is rotated: the newest one is used, earlier ones are accepted until they end. */
export interface Secrets {
  /** Newest first, without ended ones. The same list object until it changes. */
  all(): readonly Uint8Array[]
  /** Reads the secrets again at once, when something matches none of them. True if they have changed. */
  refresh(): boolean
}

/** Wraps a given secret: bytes alone are never rotated. */
export function secretsOf(given: Uint8Array | Secrets): Secrets {
  if (!(given instanceof Uint8Array)) return given
  const all = [given]
  return { all: () => all, refresh: () => false }
}
