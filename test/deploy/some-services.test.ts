// `bun run restart` of stacks of a few services: in one group, and of one that starts nothing again.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { type ServiceName, services } from '@bursar/contracts/services'
import { holderOf } from '@bursar/store/file-lock'
import { runOn, startProcesses } from './process-stack'

setDefaultTimeout(600_000)

const pidOf = (dataDir: string, name: ServiceName) => holderOf(join(dataDir, `${services[name].slug}.sqlite`))?.pid ?? 0

test('all that run may be of one group: it is restarted', async () => {
  const stack = await startProcesses({}, ['wallet', 'blockchain'], ['--in-groups'])
  try {
    const before = pidOf(stack.env.DATA_DIR ?? '', 'wallet')
    const { code, error, out } = await runOn(stack, 'restart')
    expect([code, error]).toEqual([0, ''])
    expect(out).toMatch(/^wallet, blockchain run again \(\d+\.\d s\)\n$/)
    const after = pidOf(stack.env.DATA_DIR ?? '', 'wallet')
    expect([after > 0, after === before, pidOf(stack.env.DATA_DIR ?? '', 'blockchain')]).toEqual([true, false, after])
  } finally {
    await stack.stop()
  }
})

test('where nothing is started again nothing is ended', async () => {
  const stack = await startProcesses({}, ['quote', 'message'], ['--no-restart'])
  try {
    const before = pidOf(stack.env.DATA_DIR ?? '', 'quote')
    const { code, error, out } = await runOn(stack, 'restart', 'quote')
    expect([code, out]).toEqual([1, ''])
    expect(error).toStartWith(
      'The stack was started with --no-restart, and would end with a service: stop it and start it',
    )
    expect([before > 0, pidOf(stack.env.DATA_DIR ?? '', 'quote')]).toEqual([true, before])
    expect((await fetch(`${stack.url('message')}/health/live`)).status).toBe(200)
  } finally {
    await stack.stop()
  }
})
