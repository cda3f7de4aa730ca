import { type AccessTokens, anonymous, keepToken, twice } from './tokens.js'
import { usualWorld } from './world.js'

/** A program that proves itself by OAuth 2.0 client credentials (RFC 6749, 4.4). */
export interface ClientCredentials {
  /** The gateway: `https://bursar.bank.example`. */
  baseUrl: string
  /** The participant's id. */
  clientId: string
  /** One of its API keys. */
  clientSecret: string
}

/** The answer of the token endpoint (RFC 6749, 5.1). */
interface Issued {
  readonly access_token: string
  /** In seconds. */
  readonly expires_in: number
}

/**
 * Access tokens of a program, for `session` of createBursar: the first is asked for with the first call, the next before it
 * expires. Calls reject with BursarError, code `invalid_client`, while the gateway does not know the program.
 */
export function clientCredentials(
  { baseUrl, clientId, clientSecret }: ClientCredentials,
  world = usualWorld,
): AccessTokens {
  const send = anonymous(baseUrl, world)
  // Both are encoded first (RFC 6749, 2.3.1), so that the header has ASCII alone.
  const authorization = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`
  const init = {
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: { grant_type: 'client_credentials' },
  }
  return keepToken(
    () =>
      twice(async () => {
        const { access_token: accessToken, expires_in: expiresIn } = (await send('post', '/oauth/token', init))
          .data as Issued
        return { accessToken, expiresIn }
      }),
    null,
    world,
  )
}
