// `bun run build`: what it makes runs as its sources do, and only while they are what they were.
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { bundleOf, makeBundles } from '../../scripts/build/bundles'

/** A checkout of one service, which says where it thinks it is, and of one package. */
function checkout() {
  const root = tempDir()
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  write('bun.lock', '{}')
  write('packages/money/src/index.ts', 'export const amount: string = "5"')
  write('packages/console/src/main.ts', '')
  write(
    'services/quote/src/main.ts',
    `import { amount } from '../../../packages/money/src/index'
     const mode = process.env.NODE_ENV
     console.log(JSON.stringify([amount, mode, import.meta.url, import.meta.dir, process.argv.length]))`,
  )
  write('services/quote/src/main.test.ts', '')
  const make = () => makeBundles(root, ['quote'], () => {})
  const bundle = () => bundleOf(root)('quote')
  const run = async (path: string) =>
    await new Response(Bun.spawn([process.execPath, path], { cwd: root, env: {} }).stdout).json()
  return { root, write, make, bundle, run }
}

test('a bundle is whole, is for production, and knows its place', async () => {
  const { root, make, bundle, run } = checkout()
  expect(bundle()).toBeNull()
  await make()
  rmSync(join(root, 'packages'), { recursive: true })
  mkdirSync(join(root, 'packages'))
  const [folder = ''] = new Bun.Glob('.cache/build/*/quote/main.js').scanSync({ cwd: root, dot: true })
  const place = join(root, 'services/quote/src')
  expect(await run(folder)).toEqual(['5', 'production', Bun.pathToFileURL(join(place, 'main.ts')).href, place, 2])
})

test.each([
  ['a service', 'services/quote/src/more.ts', false],
  ['a package', 'packages/money/src/index.ts', false],
  ['the dependencies', 'bun.lock', false],
  ['a test', 'services/quote/src/main.test.ts', true],
  ['the console', 'packages/console/src/main.ts', false],
])('after a change of %s it is used: %p', async (_, path, isUsed) => {
  const { write, make, bundle } = checkout()
  await make()
  expect(bundle()).not.toBeNull()
  write(path, '// changed')
  expect(bundle() !== null).toBe(isUsed)
})

test('what a running stack was started from stays for one more build', async () => {
  const { root, write, make, bundle } = checkout()
  const bundles: string[] = []
  for (const amount of [1, 2, 3]) {
    write('packages/money/src/index.ts', `export const amount = ${amount}`)
    await make()
    const path = bundle() ?? ''
    // Three builds within a tick of the disk's clock have no order.
    utimesSync(join(root, ...path.split('/').slice(0, 3)), amount, amount)
    bundles.push(path)
  }
  expect(new Set(bundles).size).toBe(3)
  expect(bundles.map((path) => existsSync(join(root, path)))).toEqual([false, true, true])
})

test('sources that do not compile leave no bundle, and take none away', async () => {
  const { root, write, make, bundle } = checkout()
  await make()
  const before = bundle() ?? ''
  write('packages/money/src/index.ts', 'export const = 1')
  expect(await make().catch(() => 'failed')).toBe('failed')
  expect(bundle()).toBeNull()
  expect(readdirSync(join(root, '.cache/build'))).toEqual([before.split('/')[2] ?? ''])
  write('packages/money/src/index.ts', 'export const amount = 6')
  await make()
  expect(existsSync(join(root, before))).toBe(true)
})

test('what a killed build has left goes with the next one, and stands for no build of before', async () => {
  const { root, write, make, bundle } = checkout()
  await make()
  const before = bundle() ?? ''
  const left = join(root, '.cache/build/quote-4194999.unfinished')
  mkdirSync(join(left, 'new'), { recursive: true })
  writeFileSync(`${left}.lock`, '')
  write('packages/money/src/index.ts', 'export const amount = 6')
  await make()
  const names = [before, bundle() ?? ''].map((path) => path.split('/')[2] ?? '')
  expect(readdirSync(join(root, '.cache/build')).sort()).toEqual(names.sort())
})
