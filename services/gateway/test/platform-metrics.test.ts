import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { services } from '@bursar/contracts/services'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { requestsTo } from '@bursar/testing/service'

let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform(['gateway', 'customer', 'message'], { INTERNAL_AUTH: 'required' })
})
afterAll(() => platform.close())

async function scrape(): Promise<{ contentType: string | null; text: string }> {
  const answer = await fetch(`${platform.url('gateway')}/metrics/all`)
  expect(answer.status).toBe(200)
  return { contentType: answer.headers.get('content-type'), text: await answer.text() }
}

describe('GET /metrics/all', () => {
  test('has the metrics of all running services, also where internal callers must authenticate', async () => {
    const { contentType, text } = await scrape()
    expect(contentType).toStartWith('text/plain; version=0.0.4')
    for (const name of ['gateway', 'customer', 'message'])
      expect(text).toMatch(new RegExp(`^bursar_check_ok\\{check="database",service="${name}"\\} 1$`, 'm'))
    const types = text.split('\n').filter((line) => line.startsWith('# TYPE '))
    expect(types).toEqual([...new Set(types)])
  })

  test('says of each service whether it answered', async () => {
    const states = async () =>
      Object.fromEntries(
        [...(await scrape()).text.matchAll(/^bursar_up\{service="([\w-]+)"\} (\d)$/gm)].map(([, name, up]) => [
          name,
          up,
        ]),
      )
    expect(Object.keys(await states()).sort()).toEqual(Object.keys(services).sort())
    expect(await states()).toMatchObject({ gateway: '1', customer: '1', message: '1', wallet: '0' })
    await platform.stop('message')
    expect(await states()).toMatchObject({ gateway: '1', customer: '1', message: '0' })
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
