// What tests of OAuth client credentials share.
import type { TestGateway } from './harness'

export interface OAuthClient {
  id: string
  secret: string
}

export const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** The form of a request for a token, by a secret in it. */
export const formOf = ({ id, secret }: OAuthClient, more: Record<string, string> = {}) =>
  String(new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret, ...more }))

let count = 0

/** A participant with a key of its own. */
export function clientOf(gateway: Pick<TestGateway, 'main'>): OAuthClient {
  const [id, secret] = [Bun.randomUUIDv7(), `sk_test_client${count++}`]
  gateway.main.issue(secret, { participantId: id })
  return { id, secret }
}

/** Sends a form to the token endpoint. */
export const ask = ({ url }: Pick<TestGateway, 'url'>, body: string, headers: Record<string, string> = form) =>
  fetch(`${url}/oauth/token`, { method: 'POST', headers, body })

export async function tokenOf(gateway: Pick<TestGateway, 'url'>, known: OAuthClient): Promise<string> {
  const { access_token } = (await (await ask(gateway, formOf(known))).json()) as { access_token: string }
  return access_token
}
