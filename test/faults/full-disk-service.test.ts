// A service whose disk is full: what its callers are answered, and what its operator reads when it cannot start.
import { expect, test } from 'bun:test'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, tempDir, until } from '@bursar/testing'
import { readAnswer, refusedAs } from '@bursar/testing/service'
import { lineOfServices } from '../commands'

const customer = lineOfServices('customer')

/** The service with a limit on the size of its files, which stands for the disk: writes beyond it fail. */
async function startLimited(dataDir: string, fileBytes: number | 'unlimited', log?: string) {
  const port = await freePort()
  // The signal that goes with the limit would end the process.
  const command = ['sh', '-c', 'trap \'\' XFSZ; exec "$@"', 'sh', ...customer]
  const child = Bun.spawn(['prlimit', `--fsize=${fileBytes}:unlimited`, ...command], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      CUSTOMER_PORT: String(port),
      INTERNAL_SECRET: Buffer.alloc(32, 1).toString('base64'),
      REDIS_URL: 'redis://127.0.0.1:9',
      LOG_LEVEL: log ? 'info' : 'silent',
    },
    stdout: log ? openSync(log, 'a') : 'ignore',
    stderr: 'pipe',
  })
  return { child, url: `http://127.0.0.1:${port}` }
}

const limitFiles = (pid: number, soft: string) =>
  expect(Bun.spawnSync(['prlimit', `--pid=${pid}`, `--fsize=${soft}:unlimited`]).exitCode).toBe(0)

const answers = (url: string) =>
  until(
    () =>
      fetch(`${url}/health`).then(
        () => true,
        () => false,
      ),
    { what: 'the service' },
  )

const post = async (url: string, key: string) =>
  await readAnswer(
    await fetch(`${url}/v1/customers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ externalId: key, status: 'active' }),
    }),
  )

test.skipIf(!Bun.which('prlimit'))(
  'while its disk is full a write is answered with 503, and succeeds afterwards',
  async () => {
    const dataDir = tempDir()
    const { child, url } = await startLimited(dataDir, 'unlimited')
    try {
      await answers(url)
      expect((await post(url, 'first')).status).toBe(201)
      limitFiles(child.pid, '0')
      const refused = await post(url, 'second')
      expect(refusedAs('object')(refused, 503)).toEqual({
        code: 'SERVICE_UNAVAILABLE',
        message: 'The service cannot write right now; repeat the request in a moment, with the same Idempotency-Key',
      })
      expect(refused.headers.get('retry-after')).toBe('1')
      expect((await readAnswer(await fetch(`${url}/v1/customers`))).body).toHaveLength(1)
      limitFiles(child.pid, 'unlimited')
      expect((await post(url, 'second')).status).toBe(201)
    } finally {
      child.kill('SIGKILL')
      await child.exited
    }
  },
)

test.skipIf(!Bun.which('prlimit')).each([0, 8192])(
  'a start with no more than %d bytes a file ends with a sentence',
  async (bytes) => {
    const dataDir = tempDir()
    const { child } = await startLimited(dataDir, bytes)
    expect(await child.exited).toBe(1)
    expect(await child.stderr.text()).toMatch(
      new RegExp(
        `^The data folder ${dataDir} cannot be written \\(.+\\): check its disk, .*, or set DATA_DIR to another folder\\.\\n$`,
      ),
    )
  },
)

test.skipIf(!Bun.which('prlimit'))(
  'a log on a full disk ends no service: it goes on with its next lines, and says how many it has lost',
  async () => {
    const dataDir = tempDir()
    const log = join(dataDir, 'service.log')
    const { child, url } = await startLimited(dataDir, 'unlimited', log)
    try {
      await answers(url)
      limitFiles(child.pid, '0')
      // Their lines are more than waits in memory.
      for (let sent = 0; sent < 1000; sent += 20) {
        const all = await Promise.all(Array.from({ length: 20 }, (_, i) => post(url, `refused-${sent + i}`)))
        expect(new Set(all.map(({ status }) => status))).toEqual(new Set([503]))
      }
      limitFiles(child.pid, 'unlimited')
      const lines = () =>
        readFileSync(log, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      // The first ones may still find no place.
      let taken = 0
      await until(
        async () => {
          expect((await post(url, `taken-${taken++}`)).status).toBe(201)
          return lines().some(({ msg, status }) => msg === 'request' && status === 201)
        },
        { what: 'the log to go on' },
      )
      const [lost] = lines().filter(({ msg }) => msg.startsWith('Lines of this log are lost'))
      expect(lost.lines).toBeGreaterThan(0)
      expect(child.exitCode).toBeNull()
      limitFiles(child.pid, '0')
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
    } finally {
      child.kill('SIGKILL')
      await child.exited
    }
  },
)
