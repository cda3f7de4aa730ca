import { AppError, type RequestContext } from '@bursar/http'
import { ownerOf, type Place } from '../access/authenticate'
import { clientTokenSeconds } from '../access/client-tokens'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { countedAddress } from '../front/caller-address'
import { partsOf } from '../front/target'
import { bodyOf, refuseTooLarge } from '../proxy/body-limits'
import { handled } from '../proxy/handled'
import type { AnswerForService } from '../proxy/proxy'
import { type Client, clientIn, OAuthError, parametersIn } from './client-credentials'

export const tokenPath = '/oauth/token'

/**
 * Answers the token endpoint of OAuth 2.0 (RFC 6749, client credentials): the client is a participant, its secret one
 * of its API keys. Not a route of the pages' router, because its body is a form.
 */
export function createTokenEndpoint(deps: GatewayDeps): AnswerForService {
  return (request, { peer }) => {
    const { path } = partsOf(request.url)
    if (path !== tokenPath && path !== `/v1${tokenPath}`) return undefined
    return handled(deps, request, tokenPath, async (context) => {
      const from = deps.callerAddress(peer, request.headers.get('x-forwarded-for'))
      return withHeaders(await answer(deps, request, { from, address: countedAddress(from) }), context)
    })
  }
}

async function answer(deps: GatewayDeps, request: Request, place: Place): Promise<Response> {
  if (request.method !== 'POST') throw fail('METHOD_NOT_ALLOWED', { headers: { allow: 'POST' } })
  const limitHeaders = await deps.rateLimits.take(`address:${place.address}`, deps.policies.requests)
  const isBasic = request.headers.has('authorization')
  try {
    const parameters = parametersIn(await formOf(request))
    const client = clientIn(request.headers.get('authorization'), parameters)
    if (parameters.get('grant_type') !== 'client_credentials')
      throw parameters.has('grant_type')
        ? new OAuthError('unsupported_grant_type', 'grant_type must be client_credentials')
        : new OAuthError('invalid_request', 'grant_type is missing')
    if (parameters.get('scope'))
      throw new OAuthError('invalid_scope', 'There are no scopes: a token may what its key may')
    const token = await tokenFor(deps, client, place)
    const body = { access_token: token, token_type: 'Bearer', expires_in: clientTokenSeconds }
    return Response.json(body, { headers: limitHeaders })
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const isUnknown = error.code === 'invalid_client'
    return Response.json(
      { error: error.code, error_description: error.message },
      {
        status: isUnknown ? 401 : 400,
        headers: isUnknown && isBasic ? { ...limitHeaders, 'www-authenticate': 'Basic realm="bursar"' } : limitHeaders,
      },
    )
  }
}

/** Gives the same refusal for an unknown key, an expired one, and one of another client. */
async function tokenFor(deps: GatewayDeps, { id, secret }: Client, place: Place): Promise<string> {
  const { credentials } = deps
  const unknown = () => new OAuthError('invalid_client', 'The client is unknown, or its secret is not valid')
  const { caller, hash } = await ownerOf(credentials, secret, place).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'INVALID_API_KEY' ? unknown() : error
  })
  const { participantId } = caller
  if (participantId === null || participantId !== id.toLowerCase()) throw unknown()
  if ((await credentials.institutions.stateOf(participantId)) === 'ended') throw unknown()
  return credentials.clientTokens.issue({ keyHash: hash, participantId })
}

const mostFormBytes = 8192

async function formOf(request: Request): Promise<string> {
  const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/x-www-form-urlencoded')
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded')
  refuseTooLarge(request, mostFormBytes)
  const { content } = await bodyOf(request, mostFormBytes, { whole: true })
  return content instanceof Uint8Array ? new TextDecoder().decode(content) : ''
}

/** No cache keeps a token (RFC 6749, 5.1). */
function withHeaders(response: Response, { id }: RequestContext): Response {
  response.headers.set('cache-control', 'no-store')
  response.headers.set('x-request-id', id)
  return response
}
