// What the gateway's OpenAPI document says of the credentials of each operation, checked by sending: without any, with a
// token, with an API key, and with both; in both modes of AUTHORIZATION.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Asked, pathTo, type ThroughGateway, throughGateway, wholeDocument } from './through-gateway'

type Headers = Record<string, string>
type Sent = 'nothing' | 'token' | 'key' | 'client token' | 'token and key'
interface Document {
  paths: Record<string, Record<string, { security: Record<string, unknown>[] }> | undefined>
}

/** What each is called in the document. */
const schemes: Record<Sent, readonly string[]> = {
  nothing: [],
  token: ['accessToken'],
  key: ['apiKey'],
  'client token': ['clientToken'],
  'token and key': ['accessToken', 'apiKey'],
}

/** Their 401 is about what their body says. */
const checkSecrets = ['/auth/login', '/auth/mfa', '/auth/mfa/options', '/auth/refresh']

let whole: ThroughGateway
beforeAll(async () => {
  whole = await throughGateway({})
})
afterAll(() => whole?.close())

/** New callers, for each way to call: an operation takes it when it is for one of them. */
async function newCallers(name: string): Promise<Record<Exclude<Sent, 'nothing'>, Headers[]>> {
  const apiKey = { 'x-api-key': `sk_test_${name}` }
  const made = { institutionName: name, authConsumerId: apiKey['x-api-key'], customers: [] }
  const { id } = await whole.platform.to('participant').create<{ id: string }>('/participants', made)
  await whole.platform.settle()
  const registration = {
    name: `No key yet, ${name}`,
    email: `first@${name}.example`,
    country: 'NO',
    businessType: 'BANK',
    registrationNumber: `NO-${name}`,
    address: { street: '1 Pier', city: 'Oslo', zipCode: '0150', country: 'NO' },
  }
  const first = await whole.platform.to('main-api').create<{ id: string }>('/participants', registration)
  const bearer = async (claims: Parameters<ThroughGateway['bearer']>[0]) => ({
    authorization: await whole.bearer(claims),
  })
  const users = [
    await bearer({ roles: ['admin'] }),
    await bearer({ roles: ['participant-admin'], participantId: id }),
    await bearer({ roles: ['participant-admin'], participantId: first.id }),
    await bearer({ roles: ['custodian-admin'], custodianId: Bun.randomUUIDv7() }),
  ]
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: apiKey['x-api-key'] }
  const answer = await fetch(`${whole.platform.url('gateway')}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return {
    token: users,
    key: [apiKey],
    'client token': [{ authorization: `Bearer ${access_token}` }],
    'token and key': users.map((user) => ({ ...user, ...apiKey })),
  }
}

type Answer = Awaited<ReturnType<ThroughGateway['send']>>
/** A request that names none of its own objects is refused by another rule than credentials. */
const isRefused = ({ status, text }: Answer) =>
  status === 401 || (status === 403 && !text.includes('Your role may access only its own'))

async function isTaken(asked: Asked, callers: readonly Headers[]): Promise<boolean> {
  for (const headers of callers) if (!isRefused(await whole.send(asked, headers))) return true
  return false
}

test.each(['documented', 'roles'])(
  'AUTHORIZATION=%s: each operation takes what it says, and nothing less',
  async (mode) => {
    const { platform } = whole
    await platform.stop('gateway')
    platform.env.AUTHORIZATION = mode
    await platform.start('gateway')
    const callers = await newCallers(mode)
    const { paths } = await wholeDocument<Document>(platform.url('gateway'))
    const asked = (await whole.operations()).filter(({ route }) => !checkSecrets.includes(route))
    const wrong: string[] = []
    for (const each of asked) {
      const { method, service, route } = each
      const ways = paths[pathTo(service, route)]?.[method.toLowerCase()]?.security
      if (!ways) {
        wrong.push(`${service}: ${method} ${route} says nothing`)
        continue
      }
      const nobodys = await whole.send(each, {})
      for (const sent of Object.keys(schemes) as Sent[]) {
        const says =
          ways.length === 0 || ways.some((way) => Object.keys(way).every((name) => schemes[sent].includes(name)))
        const isGiven = sent === 'nothing' ? !isRefused(nobodys) : await isTaken(each, callers[sent])
        if (isGiven !== says)
          wrong.push(`${service}: ${method} ${route} with ${sent}: ${says ? 'is refused' : 'is taken'}`)
      }
      const { status } = nobodys
      if ((status === 401) !== ways.length > 0) wrong.push(`${service}: ${method} ${route} with nothing: ${status}`)
    }
    expect(wrong).toEqual([])
    expect(asked.length).toBeGreaterThan(200)
  },
)
