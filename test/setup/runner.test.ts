import { describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '@bursar/testing'
import { RedisClient } from 'bun'
import { consumer, eachWithTinyStack, folder, passwordFile, ports, start } from './tiny-stack'

eachWithTinyStack()

describe('a stack that comes up', () => {
  test('says where everything is once every service is healthy', async () => {
    const runner = start()
    await runner.says('Bursar is ready')
    expect(runner.output).toContain(`quote        http://127.0.0.1:${ports.quote}`)
    expect(runner.output).toContain(`documentation http://127.0.0.1:${ports.tracker}/swagger`)
    expect(statSync(passwordFile()).mode & 0o777).toBe(0o600)
    const stranger = new RedisClient(`redis://127.0.0.1:${ports.redis}`, { autoReconnect: false })
    await expect(stranger.send('PING', [])).rejects.toThrow(/NOAUTH/)
    stranger.close()
    expect(runner.output).toContain(`redis        redis://***@127.0.0.1:${ports.redis}`)
    expect(await (await fetch(`http://127.0.0.1:${ports.quote}/health`)).text()).toBe('ok')
  })

  test('starts a process again that is restarted before all are ready; with --no-restart that ends it', async () => {
    const once = join(folder, 'once')
    const procfile = `quote: [ -e ${once} ] || { touch ${once}; exit 0; }; exec bun ${join(folder, 'tiny.ts')} QUOTE_PORT\n`
    const runner = start({ procfile })
    await runner.says('Bursar is ready')
    expect(runner.output).toContain('quote ended by itself with exit code 0; it is started again')
    rmSync(once)
    const other = { quote: await freePort(), redis: await freePort() }
    const env = { QUOTE_PORT: `${other.quote}`, REDIS_PORT: `${other.redis}`, DATA_DIR: join(folder, 'other') }
    expect(await start({ procfile, args: ['--no-restart'], env }).process.exited).toBe(1)
  })

  test.each(['--in-groups', '--all-in-one'])('carries out lines of its own as they are, also %s', async (option) => {
    const runner = start({ args: [option] })
    await runner.says('Bursar is ready')
    await runner.says('quote       | first line\nquote       | second line\n')
  })

  test('waits for processes, not for people, and says last what waits, where the console is, and the first password', async () => {
    const held = '2 orders from before a restore wait for an operator: bun run wallet:held'
    const lines = 'The first administrator is admin@localhost with the password x\\nIt is shown this once: log in\\n'
    writeFileSync(
      join(folder, 'first.ts'),
      `process.stderr.write('before\\n${lines}after\\n')
       Bun.serve({ port: Number(process.env.GATEWAY_PORT), hostname: '127.0.0.1', fetch({ url }) {
         if (new URL(url).pathname === '/health/live') return new Response('ok')
         return Response.json({ status: 'error', error: 'books: closed', waiting: ['${held}'] }, { status: 503 })
       } })`,
    )
    const gateway = await freePort()
    const procfile = `quote: exec bun ${join(folder, 'tiny.ts')} QUOTE_PORT\ngateway: exec bun ${join(folder, 'first.ts')}\n`
    const runner = start({ procfile, env: { GATEWAY_PORT: `${gateway}` } })
    await runner.says('It is shown this once')
    await runner.says('gateway | after')
    const [start_ = '', after = ''] = runner.output.split('Bursar is ready')
    // Ten seconds later it looks again, and a busy machine may read so late.
    const [banner = ''] = after.split('\nWaits for a person: ')
    expect(start_).not.toContain('with the password')
    const at = (text: string) => banner.indexOf(text)
    const order = [
      `  gateway  http://127.0.0.1:${gateway}`,
      `documentation http://127.0.0.1:${gateway}/docs`,
      '  quote ',
      `What waits for a person:\n  gateway: ${held}\n`,
      `The console: http://127.0.0.1:${gateway}/console\n`,
      'The first administrator is admin@localhost with the password x\nIt is shown this once: log in\n',
    ]
    for (const text of order) expect(banner).toContain(text)
    expect(order.map(at)).toEqual(order.map(at).toSorted((one, other) => one - other))
    // What is not usable is told once it lasts: while services start it passes by itself.
    expect(banner).not.toContain('books: closed')
    await runner.says('Waits for a person: gateway: books: closed')
  })

  test('a start that fails shows the first password all the same', async () => {
    const words = 'The first administrator is admin@localhost with the password x'
    const runner = start({ procfile: `quote: echo '${words}' >&2; exit 7` })
    expect(await runner.process.exited).toBe(1)
    expect(runner.output).toContain(words)
  })

  test('has its services take and give back memory as the platform wants it, unless the environment says otherwise', async () => {
    const procfile =
      'quote: echo "$MIMALLOC_PURGE_DELAY, $MIMALLOC_PURGE_HOLES_MIN_INTERVAL, $BUN_JSC_useWarmUpMarkedBlocks" >&2; exit 7'
    const usual = start({ procfile })
    await usual.process.exited
    expect(usual.output).toContain('quote | 1000, 3000, 0\n')
    const other = start({ procfile, env: { MIMALLOC_PURGE_HOLES_MIN_INTERVAL: '100' } })
    await other.process.exited
    expect(other.output).toContain('quote | 1000, 100, 0\n')
  })

  test('puts the name in front of every line', async () => {
    const runner = start()
    await runner.says('quote       | first line\nquote       | second line\n')
    await runner.says('log-tracker | first line\nlog-tracker | second line\n')
  })

  test('starts only the services that --only names', async () => {
    const runner = start({ args: ['--only', 'log-tracker'] })
    await runner.says('Bursar is ready')
    expect(runner.output).not.toContain('quote')
  })
})

describe('a stack that cannot start', () => {
  test('names the port that is in use, whose it is and what to set', async () => {
    const holder = await consumer(ports.quote)
    const runner = start()
    expect(await runner.process.exited).toBe(1)
    holder.close()
    expect(runner.output).toBe(
      `Port ${ports.quote}, where quote listens, is in use: stop what uses it, or set QUOTE_PORT to a free port.\n`,
    )
  })

  test('names the folder that another stack uses, and that stack', async () => {
    const first = start()
    await first.says('Bursar is ready')
    const others = { quote: await freePort(), tracker: await freePort(), redis: await freePort() }
    const second = start({
      env: { QUOTE_PORT: `${others.quote}`, TRACKER_PORT: `${others.tracker}`, REDIS_PORT: `${others.redis}` },
    })
    expect(await second.process.exited).toBe(1)
    expect(second.output).toBe(
      `The folder ${join(folder, "it's data", 'redis')} is in use by process ${first.process.pid}: ` +
        'stop that one first, or set DATA_DIR to another folder.\n',
    )
  })

  const isRoot = process.getuid?.() === 0
  test.skipIf(isRoot && !Bun.which('setpriv'))('names what it may not read, and what to do', async () => {
    mkdirSync(dirname(passwordFile()))
    writeFileSync(passwordFile(), 'a password\n', { mode: 0 })
    // Root reads everything, until it has none of its rights.
    const under = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all'] : []
    const runner = start({ under })
    expect(await runner.process.exited).toBe(1)
    expect(runner.output).toContain(`open '${passwordFile()}'): give this user the right to read and write it, or set`)
  })

  test('names a REDIS_URL where nothing answers, without its password', async () => {
    const runner = start({ env: { REDIS_URL: `redis://me:secret@127.0.0.1:${ports.redis}` } })
    expect(await runner.process.exited).toBe(1)
    expect(runner.output).toContain(`REDIS_URL is redis://***@127.0.0.1:${ports.redis}, but no Redis answers there`)
  })

  test('names a port that is no port', async () => {
    const runner = start({ env: { TRACKER_PORT: '70000' } })
    expect(await runner.process.exited).toBe(1)
    expect(runner.output).toBe('TRACKER_PORT must be a port from 1 to 65535, not "70000".\n')
  })

  test('names the services there are when --only asks for another', async () => {
    const runner = start({ args: ['--only', 'quota'] })
    expect(await runner.process.exited).toBe(1)
    expect(runner.output).toBe('There is no service quota in the Procfile; it has quote, log-tracker.\n')
  })
})
