// The whole way with real services and INTERNAL_AUTH=required: log in, ask through the gateway, follow the stream, log out.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'

const running = ['gateway', 'identity-manager', 'main-api', 'participant', 'quote', 'log-tracker'] as const
const admin = { email: 'admin@bank.example', password: 'a long sentence for the admin' }
let platform: TestPlatform
let url: string
let headers: { authorization: string }

const through = () => platform.to('gateway', '')

async function logIn() {
  const { status, body } = await through().post('/identity/v1/auth/login', admin)
  if (status >= 300) throw new Error(`The administrator could not log in: ${status} ${JSON.stringify(body)}`)
  const { accessToken, refreshToken } = body.data
  return { headers: { authorization: `Bearer ${accessToken}` }, refreshToken }
}

beforeAll(async () => {
  platform = await testPlatform(running, {
    INTERNAL_AUTH: 'required',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMIT_PER_SECOND: '1000',
  })
  url = platform.url('gateway')
  headers = (await logIn()).headers
})
afterAll(() => platform?.close())

test('no service answers anybody but by the gateway; health it does', async () => {
  for (const name of running.filter((each) => each !== 'gateway')) {
    expect([name, (await platform.to(name).get('/assets')).status]).toEqual([name, 401])
    // 503 where Redis does not answer within a second, as on a busy machine.
    await until(async () => (await platform.to(name).get('/health')).status === 200, { what: `the health of ${name}` })
  }
})

test('what is asked with the token of the identity manager is answered by each service', async () => {
  for (const path of [
    '/quote/v1/assets',
    '/participant/v1/participants',
    '/main/v1/admin/pfi',
    '/tracker/v1/log-messages',
    '/identity/v1/users/profile',
  ]) {
    expect([path, (await through().get(path, headers)).status]).toEqual([path, 200])
    expect([path, (await through().get(path)).status]).toEqual([path, 401])
  }
})

test('an API key is masked for others, and in full for its participant', async () => {
  const key = 'sk_test_masked_key'
  const made = { institutionName: 'Masked', authConsumerId: key, customers: [] }
  const { status, body } = await through().post('/participant/v1/participants', made, headers)
  expect([status, body.authConsumerId]).toEqual([201, key])
  const read = async (credentials: Record<string, string>) =>
    (await through().get(`/participant/v1/participants/${body.id}`, credentials)).body.authConsumerId
  await through().post('/participant/v1/participants', { ...made, authConsumerId: 'sk_test_other_key' }, headers)
  expect(await read({ 'x-api-key': key })).toBe(key)
  expect(await read({ 'x-api-key': 'sk_test_other_key' })).toBe('********')
})

test('new log messages are followed through it, as events and by a WebSocket', async () => {
  const path = '/tracker/v1/log-messages/stream'
  const events = await fetch(url + path, { headers })
  expect([events.status, events.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  let text = ''
  const reader = (events.body as ReadableStream<Uint8Array>).getReader()
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += new TextDecoder().decode(value)
    }
  })().catch(() => {})
  const frames: string[] = []
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers })
  socket.onmessage = ({ data }) => {
    frames.push(String(data))
  }
  await until(() => socket.readyState === WebSocket.OPEN && text.includes(': messages follow'), {
    what: 'both to be open',
  })
  expect((await through().post('/tracker/v1/log-messages/test-add-log-message', {}, headers)).status).toBe(200)
  await until(
    () => frames.some((frame) => frame.includes('VALUATION_PROCESSED')) && text.includes('VALUATION_PROCESSED'),
    {
      what: 'the message on both streams',
    },
  )
  socket.close()
  await reader.cancel()
  await reading
})

test('a WebSocket without credentials, and of a foreign page, is not opened', async () => {
  const path = `${url.replace('http', 'ws')}/tracker/v1/log-messages/stream`
  const opened = (options: Record<string, string>) =>
    new Promise<boolean>((resolve) => {
      const socket = new WebSocket(path, { headers: options })
      socket.onopen = () => resolve(true)
      socket.onerror = () => resolve(false)
    })
  expect(await opened({})).toBe(false)
  expect(await opened({ ...headers, origin: 'https://evil.example' })).toBe(false)
})

test('after the logout the token is refused', async () => {
  const own = await logIn()
  expect((await through().get('/quote/v1/assets', own.headers)).status).toBe(200)
  const { status } = await through().post('/identity/v1/auth/logout', { refreshToken: own.refreshToken }, own.headers)
  expect(status).toBeLessThan(300)
  await until(async () => (await through().get('/quote/v1/assets', own.headers)).status === 401, {
    what: 'the token to be refused',
  })
})
