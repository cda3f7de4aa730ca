// docs/first-integration.md, run as it stands there, on a platform of its own ports.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort, tempDir } from '@bursar/testing'
import { builtServices, type TestPlatform, testPlatform } from '@bursar/testing/platform'

const root = join(import.meta.dir, '../..')
const page = readFileSync(join(root, 'docs/first-integration.md'), 'utf8')
/** The settings that its first command gives to the stack. */
const settings = Object.fromEntries(
  [...(/```sh start\n(.*)\n```/.exec(page)?.[1] ?? '').matchAll(/([A-Z_]+)=(?:'([^']*)'|(\S+))/g)].map(
    ([, name = '', quoted, plain]) => [name, quoted ?? plain ?? ''],
  ),
)
let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform(builtServices(), settings)
})
afterAll(() => platform?.close())

const blocks = (kind: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text)

test('its steps end with a completed withdrawal and its verified webhook', async () => {
  expect(Object.keys(settings)).toEqual(['ADMIN_PASSWORD', 'OUTBOUND_ALLOW'])
  const folder = tempDir()
  const tools = tempDir()
  const jq = join(tools, 'jq')
  writeFileSync(jq, `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dir, 'readme/jq.ts')}' "$@"\n`)
  chmodSync(jq, 0o755)
  const port = String(await freePort())
  const here = (text: string) =>
    text.replaceAll('http://127.0.0.1:4000', platform.url('gateway')).replaceAll('9000', port)
  writeFileSync(join(folder, 'receiver.mjs'), blocks('js').map(here).join('\n'))
  const shell = Bun.spawn(['sh', '-c', `trap 'kill $receiver' EXIT\n${blocks('sh').map(here).join('\n')}`], {
    cwd: folder,
    env: { DATA_DIR: platform.dataDir, PATH: `${tools}:${dirname(process.execPath)}:${process.env.PATH}` },
    stdout: 'pipe',
    stderr: 'inherit',
    timeout: 300_000,
  })
  const said = await new Response(shell.stdout).text()
  expect(said).toContain('The withdrawal is COMPLETED\n')
  expect(said).toMatch(/\nverified transaction\.status_updated WITHDRAWAL COMPLETED /)
  expect(said).not.toContain('refused')
  expect(await shell.exited).toBe(0)
})
