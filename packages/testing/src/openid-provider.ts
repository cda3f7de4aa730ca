import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import Provider, { type Configuration } from 'oidc-provider'
import { freePort } from './free-port'

/** Somebody who has an account at the provider. */
export interface Person {
  sub: string
  /** What the ID token says of it. */
  claims?: Record<string, unknown>
  /** How it authenticates. */
  amr?: string[]
  acr?: string
  /** When it has, in Unix seconds; now unless given. */
  ts?: number
}

type TokenAnswer = Record<string, unknown> & { id_token: string }

/** Where it sends browsers back to, unless another is given. */
export const redirectUrl = 'https://bursar.example/console/single-sign-on'
/** The secret of a client. */
export const secretOf = (clientId: string) => `${clientId}: thirty lilac barges on the canal`

export type OpenIdProvider = Awaited<ReturnType<typeof openIdProvider>>

/**
 * A real provider (oidc-provider) in this process, that asks for PKCE. Everybody logs in without a page: whoever `person`
 * is at the time, or nobody.
 */
export async function openIdProvider({ redirectTo = redirectUrl, port: wanted = 0 } = {}) {
  const server = createServer()
  // Another one may begin again at its port: that must be none of those that connections get.
  const port = wanted || (await freePort())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${port}`
  const people = new Map<string, Person>()
  const all = {
    issuer,
    port,
    person: null as Person | null,
    /** What was asked of it, oldest first. */
    asked: [] as string[],
    /** Alters the answer to a code, as a man in the middle would. */
    alter: (answer: TokenAnswer): TokenAnswer => answer,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    /** Who logs in from now on. */
    knows(person: Person | null) {
      if (person) people.set(person.sub, person)
      all.person = person
    },
    /** Follows redirects with cookies until the provider redirects back. Returns the query of that redirect. */
    async logIn(url: string, person: Person | null): Promise<string> {
      all.knows(person)
      return await followed(url, redirectTo, issuer)
    },
  }
  const provider = new Provider(issuer, {
    ...configurationOf(redirectTo),
    findAccount: (_, sub) => {
      const person = people.get(sub)
      return person && { accountId: sub, claims: () => ({ sub, ...person.claims }) }
    },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider.use(async (context, next) => {
    const { req, res, method, path } = context
    all.asked.push(`${method} ${path.replace(/^(\/(?:auth|interaction)\/).+/, '$1:id')}`)
    if (path.startsWith('/interaction/')) {
      const { sub: accountId, amr, acr, ts } = all.person ?? {}
      const result = accountId ? { login: { accountId, amr, acr, ts } } : { error: 'access_denied' }
      return await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false })
    }
    await next()
    if (path === '/token' && context.status === 200) context.body = all.alter(context.body as TokenAnswer)
  })
  server.on('request', provider.callback())
  return all
}

const clientOf = (id: string, redirectTo: string) => ({
  client_id: id,
  client_secret: secretOf(id),
  redirect_uris: [redirectTo],
  response_types: ['code'] as ['code'],
  grant_types: ['authorization_code'],
})

function configurationOf(redirectTo: string): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const seconds = 3600
  return {
    clients: ['bursar', 'other'].map((id) => clientOf(id, redirectTo)),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] as never },
    cookies: { keys: ['signs the cookies of tests'] },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub', 'amr', 'acr', 'roles', 'institution', 'resource_access'],
      email: ['email', 'email_verified'],
      profile: ['name'],
    },
    features: { devInteractions: { enabled: false }, claimsParameter: { enabled: true } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: seconds,
      AuthorizationCode: 60,
      Grant: seconds,
      IdToken: 600,
      Interaction: 600,
      Session: seconds,
    },
  }
}

/** A minimal browser. */
async function followed(start: string, end: string, base: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start
  for (let hops = 0; !url.startsWith(`${end}?`); hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const each of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      cookies.set(name, value)
    }
    const next = answer.headers.get('location')
    if (next === null || hops > 9) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`)
    url = new URL(next, base).href
  }
  return new URL(url).search.slice(1)
}
