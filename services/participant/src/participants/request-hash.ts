import { sha256 } from '@bursar/http'
/** Identifies repeats of a request: a hash of its method (and path) and its validated body. */
export const requestHash = (what: string, body: object): string =>
  sha256(`${what}\n${JSON.stringify(body)}`, 'base64url')
