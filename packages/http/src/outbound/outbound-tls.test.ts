import { expect, test } from 'bun:test'
import { selfSigned } from '@bursar/testing'
import { createOutbound } from './outbound'

/** Bun's fetch, trusting that certificate as well. */
const trusting = (url: string, init: BunFetchRequestInit) =>
  fetch(url, { ...init, tls: { ...init.tls, ca: selfSigned.cert } })

test('over TLS the pinned address must prove the name that was asked', async () => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: selfSigned,
    fetch: (request) =>
      request.url.endsWith('/down')
        ? Response.redirect('http://other.test/')
        : new Response(request.headers.get('host')),
  })
  const outbound = createOutbound({
    allow: ['pinned.test', 'other.test'],
    resolve: async () => ['127.0.0.1'],
    fetch: trusting,
  })
  const ask = (host: string, by = outbound, path = '') =>
    by.request(`https://${host}:${server.port}/${path}`, { timeoutMs: 60_000 })
  try {
    expect(await ask('pinned.test')).toMatchObject({ status: 200, text: `pinned.test:${server.port}` })
    // The connection that stays open was proven for another name, and is not used for this one.
    await expect(ask('other.test')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    const untrusting = createOutbound({ allow: ['pinned.test'], resolve: async () => ['127.0.0.1'] })
    await expect(ask('pinned.test', untrusting)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    await expect(ask('pinned.test', outbound, 'down')).rejects.toMatchObject({ reason: 'blocked' })
  } finally {
    await server.stop(true)
  }
})
