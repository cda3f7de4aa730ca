// The tests that `scripts/test --quick` chooses.
import { describe, expect, test } from 'bun:test'
import { dirname } from 'node:path'
import { countsByPackage, readImports, testsOf, withinBudget } from '../../scripts/run-tests/changed'

const imports = new Map(
  Object.entries({
    'packages/money/src/rate.ts': [],
    'packages/money/src/rate.test.ts': ['packages/money/src/rate.ts'],
    'packages/money/src/index.ts': ['packages/money/src/rate.ts'],
    'services/quote/src/quotes.ts': ['packages/money/src/index.ts'],
    'services/quote/src/main.ts': [],
    'services/quote/test/quotes.test.ts': ['services/quote/src/quotes.ts'],
    'services/quote/test/other.test.ts': [],
    'services/wallet/src/a.ts': ['services/wallet/src/b.ts'],
    'services/wallet/src/b.ts': ['services/wallet/src/a.ts'],
    'services/wallet/test/wallet.test.ts': ['services/wallet/src/a.ts', 'services/wallet/src/b.ts'],
    'scripts/seed.ts': [],
  }),
)

describe('testsOf', () => {
  test.each([
    ['a test by itself', ['services/quote/test/other.test.ts'], ['services/quote/test/other.test.ts']],
    [
      'all importers, over packages, the nearest first',
      ['packages/money/src/rate.ts'],
      ['packages/money/src/rate.test.ts', 'services/quote/test/quotes.test.ts'],
    ],
    ['files in a circle', ['services/wallet/src/b.ts'], ['services/wallet/test/wallet.test.ts']],
    [
      'each test once, by its nearest change',
      ['packages/money/src/rate.ts', 'services/quote/src/quotes.ts', 'services/wallet/src/a.ts'],
      ['packages/money/src/rate.test.ts', 'services/quote/test/quotes.test.ts', 'services/wallet/test/wallet.test.ts'],
    ],
    [
      'those of the package for what no test reaches',
      ['services/quote/src/main.ts'],
      ['services/quote/test/other.test.ts', 'services/quote/test/quotes.test.ts'],
    ],
    [
      'those of the package for what is no module, or is deleted',
      ['services/wallet/migrations/sqlite/0001_x.sql'],
      ['services/wallet/test/wallet.test.ts'],
    ],
    ['none for documents and for what belongs to no package', ['services/quote/README.md', 'scripts/seed.ts'], []],
  ])('finds %s', (_, changed, expected) => {
    expect(testsOf(changed, imports)).toEqual(expected)
  })
})

test('testsOf gives packages turns among files that are as near', () => {
  const of = (...tests: string[]) => tests.map((path) => [path, ['packages/money/src/rate.ts']] as const)
  const many = new Map<string, readonly string[]>([
    ['packages/money/src/rate.ts', []],
    ...of('services/a/test/1.test.ts', 'services/a/test/2.test.ts', 'services/b/test/1.test.ts', 'test/e2e/x.test.ts'),
  ])
  const order = [
    'services/a/test/1.test.ts',
    'services/b/test/1.test.ts',
    'test/e2e/x.test.ts',
    'services/a/test/2.test.ts',
  ]
  expect(testsOf(['packages/money/src/rate.ts'], many)).toEqual(order)
  expect(countsByPackage(order)).toBe('services/a (2), services/b (1), test (1)')
})

test('withinBudget takes the first that fit, and guesses the time of those that never ran', () => {
  const times = new Map([
    ['a', 5000],
    ['b', 6000],
    ['c', 1],
  ])
  expect(withinBudget(['a', 'services/x/test/x.test.ts', 'c', 'b'], times, 10_000)).toEqual([
    'a',
    'services/x/test/x.test.ts',
    'c',
  ])
  expect(withinBudget(['a', 'b', 'c'], times, 10_000)).toEqual(['a'])
  expect(withinBudget(['c', 'test/e2e/x.test.ts'], times, 10_000)).toEqual(['c'])
})

test('readImports knows imports of packages by name, and files that are started, but not imports of types', () => {
  const own = readImports(dirname(dirname(import.meta.dir)))
  expect(own.get('test/setup/changed.test.ts')).toContain('scripts/run-tests/changed.ts')
  expect(own.get('packages/testing/src/platform.ts')).toContain('packages/contracts/src/services.ts')
  expect(own.get('packages/testing/src/platform.ts')).not.toContain('packages/http/src/index.ts')
  expect(own.get('test/faults/full-disk-service.test.ts')).toContain('services/customer/src/main.ts')
  expect(own.get('test/faults/restore-unfinished.test.ts')).toContain('services/wallet/src/main.ts')
  expect(own.get('test/setup/doctor.test.ts')).toContain('scripts/doctor.ts')
  expect(own.get('test/faults/backup.test.ts')).toContain('scripts/restore.ts')
})
