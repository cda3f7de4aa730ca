// The examples of deploy/proxy as they stand there, but for names and ports: Caddy and nginx in front of a server that tells
// what reached it. Skipped where they are not installed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, type LocalServer, localServer, tempDir, until } from '@bursar/testing'
import { knownSettings } from '../../scripts/stack/warnings'
import { mostBytes } from '../../services/gateway/src/proxy/body-limits'

const root = join(import.meta.dir, '../..')
const textOf = (name: string): string => readFileSync(join(root, 'deploy/proxy', name), 'utf8')
const missing = ['openssl', 'curl'].filter((program) => !Bun.which(program))

interface Setup {
  folder: string
  port: number
  upstream: string
}

/** The command that runs each proxy on its example. */
const proxies: Record<string, { file: string; command: (setup: Setup) => string[] }> = {
  nginx: {
    file: 'nginx.conf',
    command({ folder, port, upstream }) {
      const example = textOf('nginx.conf')
        .replace('listen 443 ', `listen 127.0.0.1:${port} `)
        .replaceAll('/etc/ssl/bursar', folder)
        .replace('http://127.0.0.1:4000', upstream)
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (each) => `${each}_temp_path ${folder}/${each};`,
      )
      const head = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; user root; events {}\n`
      writeFileSync(join(folder, 'nginx.conf'), `${head}http { access_log off; ${places.join(' ')}\n${example}}\n`)
      return ['nginx', '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
    },
  },
  caddy: {
    file: 'Caddyfile',
    command({ folder, port, upstream }) {
      const tls = `tls ${folder}/fullchain.pem ${folder}/privkey.pem\n\tbind 127.0.0.1`
      const example = textOf('Caddyfile')
        .replace('bursar.example {', `https://bursar.example:${port} {\n\t${tls}`)
        .replace('127.0.0.1:4000', new URL(upstream).host)
      writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${example}`)
      return ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
    },
  },
}

describe.each(Object.keys(proxies))('%s', (name) => {
  const { file, command } = proxies[name] as (typeof proxies)[string]

  test('names settings that exist', () => {
    const named = [...textOf(file).matchAll(/\b[A-Z]+_[A-Z_]+\b/g)].map(([setting]) => setting)
    const known = knownSettings(readFileSync(join(root, '.env.example'), 'utf8'))
    expect(named.filter((setting) => !known.has(setting))).toEqual([])
    expect(named).toContain('TRUSTED_PROXIES')
  })

  describe.skipIf(!Bun.which(name) || missing.length > 0)('in front', () => {
    let upstream: LocalServer
    let proxy: Bun.Subprocess
    let port: number
    let folder: string

    beforeAll(async () => {
      folder = tempDir()
      port = await freePort()
      upstream = localServer(() => new Response('from behind'))
      const subject = ['-subj', '/CN=bursar.example', '-addext', 'subjectAltName=DNS:bursar.example']
      const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
      const made = Bun.spawnSync([
        'openssl',
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        ...subject,
        ...files,
      ])
      expect(made.exitCode).toBe(0)
      mkdirSync(join(folder, 'home'))
      const env = { PATH: process.env.PATH, HOME: join(folder, 'home') }
      proxy = Bun.spawn(command({ folder, port, upstream: upstream.url }), { env, stdout: 'ignore', stderr: 'ignore' })
      await until(async () => (await ask('/health', port)).status === 200, { what: name })
    })
    afterAll(async () => {
      proxy?.kill()
      await proxy?.exited
      await upstream?.stop()
    })

    const curl = (path: string, at: number, args: string[]) =>
      Bun.spawn(
        [
          'curl',
          '-sSN',
          '--http1.1',
          '--cacert',
          join(folder, 'fullchain.pem'),
          '--resolve',
          `bursar.example:${at}:127.0.0.1`,
          ...args,
          `https://bursar.example:${at}${path}`,
        ],
        { stdout: 'pipe', stderr: 'ignore' },
      )

    async function ask(path: string, at: number, ...args: string[]): Promise<{ status: number; said: string }> {
      const said = await curl(path, at, ['-i', '-H', 'Expect:', ...args]).stdout.text()
      return { status: Number(/^HTTP\/\S+ (\d+)/.exec(said)?.[1]), said }
    }

    const last = () => upstream.requests.at(-1)?.headers

    test('the gateway learns who calls, by which name, and that it was by TLS', async () => {
      const { said } = await ask(
        '/core/v1/assets',
        port,
        '-H',
        'X-Forwarded-For: 203.0.113.9',
        '-H',
        'X-Forwarded-Proto: http',
      )
      expect(said).toMatch(/strict-transport-security: max-age=31536000/i)
      // The gateway reads it from the right, as far as it trusts.
      expect(last()?.get('x-forwarded-for')).toMatch(/(^|, )127\.0\.0\.1$/)
      expect(last()?.get('x-forwarded-proto')).toBe('https')
      expect(last()?.get('host')).toMatch(/^bursar\.example(:\d+)?$/)
    })

    test.if(name === 'caddy')('callers wait while the gateway is away, and are not refused', async () => {
      const [own, away] = [await freePort(), await freePort()]
      const upstream = `http://127.0.0.1:${away}`
      const env = { PATH: process.env.PATH, HOME: join(folder, 'home') }
      const proxy = Bun.spawn(command({ folder, port: own, upstream }), { env, stdout: 'ignore', stderr: 'ignore' })
      try {
        // Its own answer, without the gateway.
        await until(async () => (await ask('/metrics', own)).status === 404, { what: name })
        const impatient = curl('/core/v1/assets', own, ['--max-time', '1'])
        const timedOut = 28
        expect([await impatient.stdout.text(), await impatient.exited]).toEqual(['', timedOut])
        const waiting = ask('/core/v1/assets', own)
        const back = Bun.serve({ hostname: '127.0.0.1', port: away, fetch: () => new Response('back again') })
        expect((await waiting).said).toContain('back again')
        await back.stop(true)
      } finally {
        proxy.kill('SIGKILL')
        await proxy.exited
      }
    })

    test('figures are not shown', async () => {
      const before = upstream.requests.length
      for (const path of ['/metrics', '/metrics/all', '/v1/metrics', '/v1/metrics/all', '/metrics/'])
        expect([path, (await ask(path, port)).status]).toEqual([path, 404])
      expect(upstream.requests.length).toBe(before)
    })

    test('the largest body that a route takes passes; a much larger one does not', async () => {
      const body = (bytes: number) => {
        writeFileSync(join(folder, 'body'), Buffer.alloc(bytes))
        return ['--data-binary', `@${join(folder, 'body')}`]
      }
      expect((await ask('/main/v1/participants/x/documents', port, ...body(mostBytes))).status).toBe(200)
      expect(upstream.requests.at(-1)?.body.length).toBe(mostBytes)
      expect(
        (await ask('/main/v1/participants/x/documents', port, ...body(mostBytes + 3 * 1024 * 1024))).status,
      ).not.toBe(200)
    })

    test('a stream comes as it is written', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      upstream.answer(() => {
        const body = new ReadableStream({
          async start(controller) {
            controller.enqueue('data: first\n\n')
            await promise
            controller.enqueue('data: second\n\n')
            controller.close()
          },
        })
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      })
      const reader = curl('/tracker/v1/log-messages/stream', port, []).stdout.getReader()
      const read = async () => new TextDecoder().decode((await reader.read()).value)
      expect(await read()).toContain('first')
      resolve()
      expect(await read()).toContain('second')
      upstream.answer(() => new Response('from behind'))
    })

    test('a WebSocket may be asked for', async () => {
      await ask('/tracker/v1/log-messages/live', port, '-H', 'Connection: Upgrade', '-H', 'Upgrade: websocket')
      expect([last()?.get('connection')?.toLowerCase(), last()?.get('upgrade')]).toEqual(['upgrade', 'websocket'])
    })
  })
})
