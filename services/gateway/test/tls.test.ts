import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { ConfigError, type Environment } from '@bursar/http'
import { freePort, selfSigned, selfSignedStranger, tempDir } from '@bursar/testing'
import { config } from '../src/config'
import { ownPage } from './console-harness'
import { openGateway, type TestGateway } from './harness'

const folder = tempDir()
function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const GATEWAY_TLS_CERT = file('own.crt', selfSigned.cert)
const GATEWAY_TLS_KEY = file('own.key', selfSigned.key)

interface Proof {
  cert: string
  key: string
}

/** Asks by TLS, as a caller that knows the gateway's certificate; answers with the status. */
const ask = (
  port: string,
  { body, ...proof }: Partial<Proof> & https.RequestOptions & { body?: string } = {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = https.request(
      {
        host: '127.0.0.1',
        port,
        path: '/health',
        servername: 'pinned.test',
        ca: selfSigned.cert,
        agent: false,
        ...proof,
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
        response.on('error', reject)
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })

describe('the port for TLS', () => {
  let gateway: TestGateway
  let port: string
  beforeAll(async () => {
    port = String(await freePort())
    gateway = await openGateway({ GATEWAY_TLS_PORT: port, GATEWAY_TLS_CERT, GATEWAY_TLS_KEY })
  })
  afterAll(() => gateway.close())

  test('answers beside the plain one', async () => {
    expect(await ask(port)).toBe(200)
    expect((await gateway.get('/health')).status).toBe(200)
  })

  test('is one that browsers keep the cookie of a session from, by any name', async () => {
    const headers = { ...ownPage, host: 'desk.bank.example', 'content-type': 'application/json' }
    const body = JSON.stringify({ email: 'a@bank.example', password: 'x' })
    const asked = { method: 'POST', path: '/console/api/session', headers, body }
    // The stand-in for the identity manager answers no tokens.
    expect(await ask(port, asked)).toBe(502)
    expect((await fetch(`${gateway.url}/console/api/session`, asked)).status).toBe(403)
  })

  test('takes nobody for the gateway who speaks without TLS', async () => {
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow()
  })

  test('is closed with the gateway', async () => {
    const other = String(await freePort())
    const second = await openGateway({ GATEWAY_TLS_PORT: other, GATEWAY_TLS_CERT, GATEWAY_TLS_KEY })
    expect(await ask(other)).toBe(200)
    await second.close()
    await expect(ask(other)).rejects.toThrow()
  })
})

test('with GATEWAY_TLS_CLIENT_CA only whoever has a certificate of one of these gets an answer', async () => {
  const port = String(await freePort())
  const GATEWAY_TLS_CLIENT_CA = file('clients.crt', selfSigned.cert)
  const gateway = await openGateway({
    GATEWAY_TLS_PORT: port,
    GATEWAY_TLS_CERT,
    GATEWAY_TLS_KEY,
    GATEWAY_TLS_CLIENT_CA,
  })
  expect(await ask(port, selfSigned)).toBe(200)
  await expect(ask(port)).rejects.toThrow()
  await expect(ask(port, selfSignedStranger)).rejects.toThrow()
  expect((await gateway.get('/health')).status).toBe(200)
  await gateway.close()
})

const tls = { GATEWAY_TLS_PORT: '1', GATEWAY_TLS_CERT, GATEWAY_TLS_KEY }

test.each<[string, Environment, string]>([
  ['no certificate', { ...tls, GATEWAY_TLS_CERT: '' }, 'GATEWAY_TLS_PORT needs GATEWAY_TLS_CERT, a file in PEM'],
  ['no key', { ...tls, GATEWAY_TLS_KEY: '' }, 'GATEWAY_TLS_PORT needs GATEWAY_TLS_KEY, a file in PEM'],
  ['no port', { GATEWAY_TLS_CLIENT_CA: GATEWAY_TLS_CERT }, 'GATEWAY_TLS_CLIENT_CA needs GATEWAY_TLS_PORT'],
  ['no such file', { ...tls, GATEWAY_TLS_KEY: '/nowhere' }, 'GATEWAY_TLS_KEY: ENOENT'],
  [
    'a file of something else',
    { ...tls, GATEWAY_TLS_CERT: GATEWAY_TLS_KEY },
    'GATEWAY_TLS_CERT must name a file with a certificate in PEM',
  ],
  [
    "another one's key",
    { ...tls, GATEWAY_TLS_KEY: file('other.key', selfSignedStranger.key) },
    'GATEWAY_TLS_KEY is not the private key of GATEWAY_TLS_CERT',
  ],
  [
    'no certificates of clients',
    { ...tls, GATEWAY_TLS_CLIENT_CA: file('empty', '') },
    'GATEWAY_TLS_CLIENT_CA must name a file with a certificate in PEM',
  ],
])('a start without what TLS needs ends in a sentence: %s', (_, env, sentence) => {
  expect(() => config(env)).toThrow(ConfigError)
  expect(() => config(env)).toThrow(sentence)
})
