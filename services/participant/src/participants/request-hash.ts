/** Tells a repeat of a request from another one: by its method (and path) and its body as it was understood. */
export const requestHash = (what: string, body: object): string =>
  new Bun.CryptoHasher('sha256').update(`${what}\n${JSON.stringify(body)}`).digest('base64url')
