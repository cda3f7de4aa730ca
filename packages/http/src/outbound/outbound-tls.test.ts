import { expect, test } from 'bun:test'
import { createOutbound } from './outbound'

/** Signed by itself for `pinned.test`, valid from 2020 to 2120. Used here and nowhere else. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBZDCCAQqgAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtwaW5uZWQu
dGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFjEUMBIGA1UE
AwwLcGlubmVkLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARac4D8y0V9
S920bRd+IASSZHcnVjSS7CVWQMzcjmjj+63H/hSqxBj83RXWhpvgSkRZVYDEBI+E
ZAQ7LQL/HYPjo0cwRTAWBgNVHREEDzANggtwaW5uZWQudGVzdDAMBgNVHRMEBTAD
AQH/MB0GA1UdDgQWBBR/NYGZI/O7IUO5r784u5lp4JLsFjAKBggqhkjOPQQDAgNI
ADBFAiA44Im5jCZRpFKuN5AwokUfJ82bUOaZL4UNThWNk0X+lgIhAOUv2wuBnBqA
x/hN8CbDiFR0un0IZqZJas0erWCOcr29
-----END CERTIFICATE-----`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgz602lPWZ1En0gulR
8HykGyOSp1pfyxR9fSiF0psXIuyhRANCAARac4D8y0V9S920bRd+IASSZHcnVjSS
7CVWQMzcjmjj+63H/hSqxBj83RXWhpvgSkRZVYDEBI+EZAQ7LQL/HYPj
-----END PRIVATE KEY-----`

/** Bun's fetch, trusting that certificate as well. */
const trusting = (url: string, init: BunFetchRequestInit) =>
  fetch(url, { ...init, tls: { ...init.tls, ca: certificate } })

test('over TLS the pinned address must prove the name that was asked', async () => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { key, cert: certificate },
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
    by.request(`https://${host}:${server.port}/${path}`, { timeoutMs: 5000 })
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
