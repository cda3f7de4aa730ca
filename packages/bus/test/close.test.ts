import { expect, test } from 'bun:test'
import { testRedis } from '@bursar/testing'

/** A process that publishes, consumes and closes; it has to end because nothing is left open. */
async function run(url: string): Promise<{ code: number | null; output: string }> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/close.child.ts`, url], {
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: 300_000,
  })
  const output = (await child.stdout.text()) + (await child.stderr.text())
  await child.exited
  return { code: child.exitCode, output }
}

test('close leaves nothing open: the process ends', async () => {
  const redis = await testRedis()
  expect(await run(redis.url)).toEqual({ code: 0, output: 'seen 1\n' })
  await redis.stop()
  expect(await run(redis.url)).toEqual({ code: 0, output: 'refused\n' })
})
