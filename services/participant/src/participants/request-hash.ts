/** Identifies repeats of a request: a hash of its method (and path) and its validated body. */
export const requestHash = (what: string, body: object): string =>
  new Bun.CryptoHasher('sha256').update(`${what}\n${JSON.stringify(body)}`).digest('base64url')
