import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { singularOf } from '../../scripts/new-service/words'
import { borderRules } from '../tidy/borders'
import { serviceRules } from '../tidy/services'
import { readTree, type Tree } from '../tidy/tree'
import { wordRules } from '../tidy/words'

setDefaultTimeout(30_000)

const root = dirname(dirname(import.meta.dir))
/** They are made here whether or not the project has them by now. */
const made = ['identity-manager', 'notification']

/** A workspace without services; what they use is found in the real one. */
const workspace = tempDir()

/** A file of the project, without the lines about what is made here. */
const without = (path: string) =>
  readFileSync(join(root, path), 'utf8').replace(
    /^(identity-manager:|notification:|# (IDENTITY|NOTIFICATION)_).*\n/gm,
    '',
  )

beforeAll(() => {
  mkdirSync(join(workspace, 'services'))
  const copied = ['scripts/new-service', 'scripts/new-service.ts', 'package.json', 'biome.json', '.gitignore']
  for (const path of copied) cpSync(join(root, path), join(workspace, path), { recursive: true })
  for (const path of ['Procfile', '.env.example']) writeFileSync(join(workspace, path), without(path))
  for (const path of ['packages', 'node_modules']) symlinkSync(join(root, path), join(workspace, path))
  symlinkSync(join(root, 'services/quote/node_modules'), join(workspace, 'services/node_modules'))
  const settings = { extends: join(root, 'tsconfig.json'), include: ['services'] }
  writeFileSync(join(workspace, 'tsconfig.json'), JSON.stringify(settings))
})

/** Runs a command in the workspace; its exit code and all it said. */
async function run(...command: string[]) {
  const { exited, stdout, stderr } = Bun.spawn(command, { cwd: workspace, stdout: 'pipe', stderr: 'pipe' })
  const [code, ...said] = await Promise.all([exited, stdout.text(), stderr.text()])
  return { code, said: said.join('') }
}

const newService = (...args: string[]) => run('bun', 'scripts/new-service.ts', '--no-install', ...args)

describe('a service that the script made', () => {
  let answers: Awaited<ReturnType<typeof newService>>[]
  beforeAll(async () => {
    const shaped = await newService('identity-manager', '--shape', 'list', '--resource', 'bank-accounts')
    answers = [shaped, await newService('notification')]
  })

  test('is told of, with what is left to do', () => {
    const [shaped, usual] = answers
    expect([shaped?.code, usual?.code]).toEqual([0, 0])
    expect(shaped?.said).toStartWith('services/identity-manager is made; bank-accounts is its example')
    expect(usual?.said).toContain('| notification | 4014 | http://127.0.0.1:4014/swagger |')
  })

  test('has nothing left of the template', () => {
    const files = [...readTree(workspace)].filter(([path]) => path.startsWith('services/'))
    expect(files.length).toBeGreaterThan(20)
    const leftOver = /sample.?note|transaction-manager|black-box/i
    expect(files.filter(([path, text]) => leftOver.test(path) || leftOver.test(text))).toEqual([])
  })

  test('passes the type check, and its own tests', async () => {
    // Biome has passed it already: the script ends with an error when it does not.
    const [types, tests] = await Promise.all([run('node_modules/.bin/tsc', '--noEmit'), run('bun', 'test', 'services')])
    expect(types).toEqual({ code: 0, said: '' })
    expect(tests.said).toContain('across 2 files')
    expect(tests.code).toBe(0)
  })

  test('is as tidy as the rest', () => {
    // The events that a service has to do with are for the contracts to say, and for a person to write.
    const rules = [...borderRules, ...serviceRules, ...wordRules].filter(({ says }) => !says.includes('every event'))
    const complaints = (tree: Tree) => rules.flatMap((rule) => rule.complaints(tree))
    const isMade = (path: string) => made.some((name) => path.startsWith(`services/${name}/`))
    const isChanged = (path: string) => ['Procfile', '.env.example'].includes(path)
    const others = [...readTree(root)].filter(([path]) => !isMade(path))
    const before = new Map(others.map(([path, text]) => [path, isChanged(path) ? without(path) : text]))
    const after = [...readTree(workspace)].filter(([path]) => isMade(path) || isChanged(path))
    const known = complaints(before)
    expect(complaints(new Map([...before, ...after])).filter((complaint) => !known.includes(complaint))).toEqual([])
  })
})

describe('the script refuses in one sentence', () => {
  const refusal = async (...args: string[]) => {
    const services = readdirSync(join(workspace, 'services'))
    const { code, said } = await newService(...args)
    expect([code, readdirSync(join(workspace, 'services'))]).toEqual([1, services])
    expect(said.split('\n')).toHaveLength(2)
    return said
  }

  test('a name that the catalogue lacks', async () => {
    expect(await refusal('messages')).toStartWith('There is no messages in packages/contracts/src/services.ts; not yet')
  })

  test('a service that is there', async () => {
    expect(await refusal('notification')).toBe('services/notification is there already.\n')
  })

  test('no name', async () => {
    expect(await refusal()).toBe('Name one service: bun scripts/new-service.ts <name>\n')
  })

  test('another shape', async () => {
    expect(await refusal('message', '--shape', 'xml')).toBe('--shape must be envelope, strings, reason, not "xml".\n')
  })

  test('a resource that is no plural in kebab-case', async () => {
    expect(await refusal('message', '--resource', 'Note')).toContain('not "Note".')
  })

  test('a resource whose name has another meaning in a service', async () => {
    expect(await refusal('message', '--resource', 'params')).toContain('needs the name params')
  })

  test('an option that there is not', async () => {
    expect(await refusal('message', '--form', 'x')).toContain("Unknown option '--form'")
  })
})

test('what cannot be finished leaves nothing behind', async () => {
  const table = join(workspace, 'scripts/new-service/template/src/sample-notes/sample-notes.table.ts')
  const text = readFileSync(table, 'utf8')
  const procfile = readFileSync(join(workspace, 'Procfile'), 'utf8')
  writeFileSync(table, `${text}throw new Error('no such luck')\n`)
  const { code, said } = await newService('message')
  writeFileSync(table, text)
  expect([code, existsSync(join(workspace, 'services/message'))]).toEqual([1, false])
  expect(said).toContain('drizzle-kit generate --name start failed, and nothing was made:')
  expect(said).toContain('no such luck')
  expect(readFileSync(join(workspace, 'Procfile'), 'utf8')).toBe(procfile)
})

test('--help tells how it is used, and makes nothing', async () => {
  const { code, said } = await newService('message', '--help')
  expect([code, existsSync(join(workspace, 'services/message'))]).toEqual([0, false])
  expect(said).toStartWith('Usage: bun scripts/new-service.ts <name>')
})

test.each([
  ['notes', 'note'],
  ['categories', 'category'],
  ['addresses', 'address'],
  ['statuses', 'status'],
  ['boxes', 'box'],
  ['rates', 'rate'],
  ['fee-types', 'fee-type'],
])('one of %s is a %s', (plural, singular) => {
  expect(singularOf(plural)).toBe(singular)
})
