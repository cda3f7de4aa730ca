import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const linesOf = (name: string): string[] =>
  readFileSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

test('Procfile.chain is the Procfile with anvil, and with this service on it', () => {
  const plain = linesOf('Procfile')
  const chain = linesOf('Procfile.chain')
  const isOwn = (line: string) => /^(blockchain|anvil):/.test(line)
  expect(chain.filter((line) => !isOwn(line))).toEqual(plain.filter((line) => !isOwn(line)))
  expect(chain.filter(isOwn)).toEqual([
    expect.stringMatching(
      /^blockchain: exec env ETHEREUM_RPC_URLS=http:\/\/127\.0\.0\.1:8545 .*bun services\/blockchain\/src\/main\.ts$/,
    ),
    expect.stringMatching(/^anvil: exec .* --port 8545 /),
  ])
})
