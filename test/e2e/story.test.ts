// The story of the demo on all services in one process; then behind Prism, which holds every request of the gateway and
// every answer against the services' own documents.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type ServiceName, services } from '@bursar/contracts/services'
import { freePort } from '@bursar/testing'
import { builtServices, startBuilt, type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { validatingProxy } from '@bursar/testing/validating-proxy'
import { storyOf, storySettings } from './story'

setDefaultTimeout(180_000)

let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform(builtServices(), storySettings)
})
afterAll(() => platform?.close())

test('the story goes through on all services in one process', async () => {
  const { made, lines } = await storyOf(platform.url('gateway'), platform.env)
  expect(lines.some((line) => line.endsWith('have come as webhooks with right signatures'))).toBe(true)
  expect(lines.some((line) => line.startsWith('Audit: The books are right'))).toBe(true)
  expect(Object.values(made).every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true)
})

test('the story breaks nothing that the services’ documents say', async () => {
  const behind = builtServices().filter((name) => name !== 'gateway')
  const proxies = await Promise.all(
    behind.map(async (name) => [name, await validatingProxy(platform.url(name))] as const),
  )
  const urls = proxies.map(([name, { url }]) => [settingOf(name), url])
  const port = await freePort()
  await platform.stop('gateway')
  const gateway = await startBuilt('gateway', {
    ...platform.env,
    ...Object.fromEntries(urls),
    GATEWAY_PORT: String(port),
  })
  try {
    const { lines } = await storyOf(gateway.url, platform.env)
    expect(lines.some((line) => line.startsWith('Audit: The books are right'))).toBe(true)
  } finally {
    await gateway.stop()
    await platform.start('gateway')
    for (const [, proxy] of proxies) await proxy.stop()
  }
})

const settingOf = (name: ServiceName): string => `${services[name].slug.toUpperCase()}_URL`
