import { afterAll, beforeAll } from 'bun:test'
import { patience } from '@bursar/testing'
import { type OpenIdProvider, type Person, redirectUrl, secretOf } from '@bursar/testing/openid-provider'
import type { Answer } from '@bursar/testing/service'
import type { TestIdentityManager } from './harness'

/** Gives the calls of a file's tests to the provider a minute: a busy machine may stand still for longer than their seconds. */
export function withPatience(): void {
  let usualLimits = () => {}
  beforeAll(() => {
    usualLimits = patience()
  })
  afterAll(() => usualLimits())
}

/** Settings of an identity manager with single sign-on. */
export const settingsFor = ({ issuer }: Pick<OpenIdProvider, 'issuer'>, more: Record<string, string> = {}) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: 'bursar',
  OIDC_CLIENT_SECRET: secretOf('bursar'),
  OIDC_NAME: 'Harbour ID',
  OIDC_REDIRECT_URL: redirectUrl,
  OIDC_ROLES:
    'desk-admins=admin,desk-ops=operator,desk-readers=viewer,bank-admins=participant-admin,bank-users=participant-user',
  OIDC_LINK_BY_EMAIL: 'on',
  OIDC_CREATE_USERS: 'on',
  ...more,
})

/** A person at the provider with a verified address. */
export const personOf = (email: string, roles: readonly string[], more: Partial<Person> = {}): Person => ({
  sub: `sub of ${email}`,
  ...more,
  claims: { email, email_verified: true, name: `Name of ${email}`, roles, ...more.claims },
})

/** The steps of a log-in through the provider, as calls. */
export function signOnCalls(service: () => TestIdentityManager, provider: () => OpenIdProvider) {
  const begin = async (body: object = {}): Promise<{ url: string; attempt: string }> => {
    const answer = await service().post('/auth/single-sign-on/begin', body)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body.data
  }
  const complete = (attempt: string, query: string, headers?: Record<string, string>): Promise<Answer> =>
    service().post('/auth/single-sign-on/complete', { attempt, query }, headers)
  return {
    begin,
    complete,
    async signOn(person: Person | null, body: object = {}): Promise<Answer> {
      const { url, attempt } = await begin(body)
      return await complete(attempt, await provider().logIn(url, person))
    },
  }
}
