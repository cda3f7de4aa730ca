// docs/clients.md, as a stranger's machine needs it: with Node alone, and a checkout that was started.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const page = readFileSync(join(import.meta.dir, '../../docs/clients.md'), 'utf8')
const packing = (/```sh\n([\s\S]*?client:pack[\s\S]*?)```/.exec(page)?.[1] ?? '').split('\n')

test('a start leaves neither Bun on the PATH nor what builds the client: the page brings both first', () => {
  expect(packing.slice(0, 3)).toEqual([
    `export PATH="$PWD/.cache/bin:$PATH"`,
    'bun install',
    'tarball=$(bun run --silent client:pack)',
  ])
})
