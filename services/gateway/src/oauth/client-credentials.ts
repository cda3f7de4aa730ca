/** The credentials of a client (RFC 6749, 2.3.1). */
export interface Client {
  id: string
  secret: string
  /** Whether they were sent by HTTP Basic. */
  isBasic: boolean
}

/** A refusal of the token endpoint (RFC 6749, 5.2). */
export class OAuthError extends Error {
  constructor(
    readonly code: 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope',
    message: string,
  ) {
    super(message)
  }
}

/** The parameters of the body by name. Fails for one that is given twice. */
export function parametersIn(body: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(body)) {
    if (found.has(name)) throw new OAuthError('invalid_request', `${name} is given twice`)
    found.set(name, value)
  }
  return found
}

/** The client of a request, by HTTP Basic or in the body. Fails for both and for none. */
export function clientIn(authorization: string | null, parameters: ReadonlyMap<string, string>): Client {
  const [id, secret] = [parameters.get('client_id'), parameters.get('client_secret')]
  if (authorization !== null) {
    if (secret !== undefined) throw new OAuthError('invalid_request', 'Authenticate once: by Basic, or in the body')
    const client = basicClient(authorization)
    if (id !== undefined && id !== client.id) throw new OAuthError('invalid_request', 'client_id is not that of Basic')
    return client
  }
  if (!id || !secret)
    throw new OAuthError('invalid_client', 'Send client_id and client_secret, by Basic or in the body')
  return { id, secret, isBasic: false }
}

function basicClient(authorization: string): Client {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? []
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const [id, secret] = [decoded(text.slice(0, Math.max(colon, 0))), decoded(text.slice(colon + 1))]
  if (colon < 1 || !id || !secret)
    throw new OAuthError('invalid_client', 'Authorization must be Basic, with id and secret')
  return { id, secret, isBasic: true }
}

/** Decodes a form-encoded part of HTTP Basic credentials; null if invalid. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
