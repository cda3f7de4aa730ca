// The story of the demo on all services in one process, behind Prism, which holds every request of the gateway and every
// answer against the services' own documents.
import { expect, test } from 'bun:test'
import { services } from '@bursar/contracts/services'
import { freePort } from '@bursar/testing'
import { builtServices, startBuilt, testPlatform } from '@bursar/testing/platform'
import { validatingProxy } from '@bursar/testing/validating-proxy'
import { storyOf, storySettings } from './story'

test('the story goes through on all services in one process, and breaks nothing that their documents say', async () => {
  const behind = builtServices().filter((name) => name !== 'gateway')
  const port = String(await freePort())
  const own = { GATEWAY_PORT: port, GATEWAY_URL: `http://127.0.0.1:${port}` }
  const platform = await testPlatform(behind, { ...storySettings, ...own })
  const proxies = await Promise.all(behind.map((name) => validatingProxy(platform.url(name))))
  const urls = behind.map((name, i) => [`${services[name].slug.toUpperCase()}_URL`, proxies[i]?.url])
  const gateway = await startBuilt('gateway', { ...platform.env, ...Object.fromEntries(urls) })
  try {
    const { made, lines } = await storyOf(gateway.url, platform.env)
    expect(lines.some((line) => line.endsWith('have come as webhooks with right signatures'))).toBe(true)
    expect(lines.some((line) => line.startsWith('Audit: The books are right'))).toBe(true)
    expect(Object.values(made).every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true)
  } finally {
    await gateway.stop()
    for (const proxy of proxies) await proxy.stop()
    await platform.close()
  }
})
