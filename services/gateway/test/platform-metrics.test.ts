import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { services } from '@bursar/contracts/services'
import { until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { requestsTo } from '@bursar/testing/service'

let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform(['gateway', 'customer', 'message'], { INTERNAL_AUTH: 'required' })
})
afterAll(() => platform.close())

interface Scraped {
  contentType: string | null
  text: string
  /** Of each service, whether it answered. */
  up: Record<string, string>
}

/** Scrapes until this is so of these services, and these lines are there: on a busy machine one may answer too late. */
const scraped = (expected: Record<string, string>, lines: readonly string[] = []): Promise<Scraped> =>
  until(
    async () => {
      const answer = await fetch(`${platform.url('gateway')}/metrics/all`)
      expect(answer.status).toBe(200)
      const text = await answer.text()
      const states = text.matchAll(/^bursar_up\{service="([\w-]+)"\} (\d)$/gm)
      const up = Object.fromEntries([...states].map(([, name, state]) => [name, state]))
      expect(up).toMatchObject(expected)
      expect(text.split('\n')).toEqual(expect.arrayContaining(lines as string[]))
      return { contentType: answer.headers.get('content-type'), text, up }
    },
    { what: `the states ${JSON.stringify(expected)}` },
  )

describe('GET /metrics/all', () => {
  test('has the metrics of all running services, also where internal callers must authenticate', async () => {
    const { contentType, text } = await scraped(
      { gateway: '1', customer: '1', message: '1' },
      ['gateway', 'customer', 'message'].map((name) => `bursar_check_ok{check="database",service="${name}"} 1`),
    )
    expect(contentType).toStartWith('text/plain; version=0.0.4')
    const types = text.split('\n').filter((line) => line.startsWith('# TYPE '))
    expect(types).toEqual([...new Set(types)])
  })

  test('says of each service whether it answered', async () => {
    const { up } = await scraped({ gateway: '1', customer: '1', message: '1', wallet: '0' })
    expect(Object.keys(up).sort()).toEqual(Object.keys(services).sort())
    await platform.stop('message')
    await scraped({ gateway: '1', customer: '1', message: '0' })
    await platform.start('message')
  })

  test('each service serves them to services of the deployment alone', async () => {
    const customer = requestsTo(
      { handle: (request) => fetch(request.url.replace('http://localhost', platform.url('customer'))) },
      '',
    )
    expect((await customer.get('/internal/operations/metrics')).status).toBe(401)
  })
})
