// README's blocks of requests, run as they stand there, on a platform of its own ports.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { tempDir } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'

const root = join(import.meta.dir, '../..')
let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform([
    'quote',
    'log-tracker',
    'customer',
    'account',
    'core-ledger',
    'wallet',
    'blockchain',
    'sanctions',
    'participant',
  ])
})
afterAll(() => platform?.close())

/** The block of README that holds a text, with the ports of this platform. */
function blockWith(text: string): string {
  const blocks = readFileSync(join(root, 'README.md'), 'utf8').match(/```sh\n[\s\S]*?```/g) ?? []
  const block = blocks.find((each) => each.includes(text))?.replaceAll(/```(sh)?/g, '') ?? ''
  return Object.entries(services).reduce(
    (script, [name, { port }]) =>
      script.replaceAll(`http://127.0.0.1:${port}`, () => platform.url(name as keyof typeof services)),
    block,
  )
}

/** Runs a block, and gives what it says. */
async function run(block: string): Promise<string> {
  const tools = tempDir()
  const jq = join(tools, 'jq')
  writeFileSync(jq, `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dir, 'readme/jq.ts')}' "$@"\n`)
  chmodSync(jq, 0o755)
  const shell = Bun.spawn(['sh', '-e', '-c', block], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: platform.dataDir,
      PATH: `${tools}:${dirname(process.execPath)}:${process.env.PATH}`,
    },
    stdout: 'pipe',
    stderr: 'inherit',
    timeout: 300_000,
  })
  return await new Response(shell.stdout).text()
}

test('the first block ends with a rate, and what the log tracker heard of it', async () => {
  const [before = '', after = '', ...others] = blockWith('/v1/rates').split('sleep 1; ')
  const first = await run(before)
  // A busy machine needs longer.
  await platform.settle()
  const said = first + (await run(after))
  expect(others).toEqual([])
  expect(said).toContain('{"rate":142.5,"currency":"USD","isStatic":true}')
  expect(said).toContain('VALUATION_PROCESSED')
  expect(said).toContain('"total":1')
})

test('the money block ends with a completed withdrawal', async () => {
  const said = await run(blockWith('complete-screening'))
  expect(said).toContain('COMPLETED\n')
  expect(said).toContain('"availableBalance":"1"')
  expect(said).toContain('The books are right')
})
