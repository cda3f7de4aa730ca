// A service whose disk is full: what its callers are answered, and what its operator reads when it cannot start.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { freePort, tempDir, until } from '@bursar/testing'
import { readAnswer, refusedAs } from '@bursar/testing/service'

const main = join(import.meta.dir, '../../services/customer/src/main.ts')

/** The service with a limit on the size of its files, which stands for the disk: writes beyond it fail. */
async function startLimited(dataDir: string, fileBytes: number | 'unlimited') {
  const port = await freePort()
  // The signal that goes with the limit would end the process.
  const command = ['sh', '-c', 'trap \'\' XFSZ; exec "$@"', 'sh', process.execPath, '--no-env-file', main]
  const child = Bun.spawn(['prlimit', `--fsize=${fileBytes}:unlimited`, ...command], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      CUSTOMER_PORT: String(port),
      INTERNAL_SECRET: Buffer.alloc(32, 1).toString('base64'),
      REDIS_URL: 'redis://127.0.0.1:9',
      LOG_LEVEL: 'silent',
    },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  return { child, url: `http://127.0.0.1:${port}` }
}

const limitFiles = (pid: number, soft: string) =>
  expect(Bun.spawnSync(['prlimit', `--pid=${pid}`, `--fsize=${soft}:unlimited`]).exitCode).toBe(0)

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
      await until(
        () =>
          fetch(`${url}/health`).then(
            () => true,
            () => false,
          ),
        { what: 'the service', timeoutMs: 20_000 },
      )
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
  30_000,
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
  30_000,
)
