/** A secret that is replaced from time to time: the newest is used, earlier ones are accepted until they end. */
export interface Secrets {
  /** Newest first; those that have ended are not among them. The same list until it changes. */
  all(): readonly Uint8Array[]
  /** Looks at once whether there is a newer one, when something fits none of them. True if the list has changed. */
  refresh(): boolean
}

/** A secret as it is given; one that is never replaced is its bytes alone. */
export function secretsOf(given: Uint8Array | Secrets): Secrets {
  if (!(given instanceof Uint8Array)) return given
  const all = [given]
  return { all: () => all, refresh: () => false }
}
