import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { tempDir } from '@bursar/testing'
import { singularOf } from '../../scripts/new-service/words'
import { borderRules } from '../tidy/borders'
import { circleRules } from '../tidy/circles'
import { packageRules } from '../tidy/packages'
import { serviceRules } from '../tidy/services'
import { readTree, type Tree } from '../tidy/tree'
import { wordRules } from '../tidy/words'

setDefaultTimeout(120_000)

const root = dirname(dirname(import.meta.dir))
/** They are made here whether or not the project has them by now. */
const made = ['identity-manager', 'notification']
/** Nothing is made of it that lasts. */
const free = 'message'

/** A workspace without services, and with contracts of its own; what else they use is found in the real one. */
const workspace = tempDir()

/** A file of the project, without the lines about what is made here. */
const without = (path: string) =>
  readFileSync(join(root, path), 'utf8').replace(
    /^(identity-manager:|notification:|message:|# (IDENTITY|NOTIFICATION|MESSAGE)_PORT).*\n/gm,
    '',
  )

/** What a folder of modules holds, our own packages being those of the workspace. */
function linkModules(from: string, to: string) {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)]
    if (name.startsWith('@') && !existsSync(join(source, 'package.json'))) linkModules(source, target)
    else symlinkSync(inWorkspace(realpathSync(source)), target)
  }
}
const inWorkspace = (path: string) =>
  path.startsWith(join(root, 'packages/')) ? join(workspace, relative(root, path)) : path

beforeAll(() => {
  const copied = ['scripts', 'docs', 'package.json', 'biome.json', '.gitignore']
  for (const path of copied) cpSync(join(root, path), join(workspace, path), { recursive: true })
  for (const path of ['Procfile', '.env.example']) writeFileSync(join(workspace, path), without(path))
  for (const name of readdirSync(join(root, 'packages'))) {
    const [from, to] = [join(root, 'packages', name), join(workspace, 'packages', name)]
    const filter = (path: string) => !path.includes('node_modules')
    cpSync(from, to, { recursive: true, filter })
    linkModules(join(from, 'node_modules'), join(to, 'node_modules'))
  }
  linkModules(join(root, 'node_modules'), join(workspace, 'node_modules'))
  linkModules(join(root, 'services/quote/node_modules'), join(workspace, 'services/node_modules'))
  // What the project's own type check has cached stays its own.
  const compilerOptions = { incremental: false, tsBuildInfoFile: null }
  const settings = { extends: join(root, 'tsconfig.json'), include: ['services'], compilerOptions }
  writeFileSync(join(workspace, 'tsconfig.json'), JSON.stringify(settings))
})

/** Runs a command in the workspace; its exit code and all it said. */
async function run(...command: string[]) {
  const { exited, stdout, stderr } = Bun.spawn(command, { cwd: workspace, stdout: 'pipe', stderr: 'pipe' })
  const [code, ...said] = await Promise.all([exited, stdout.text(), stderr.text()])
  return { code, said: said.join('') }
}

/** The script puts a contract beside one that others have written already. */
const contractOf = (name: string) => {
  const resource = name === 'notification' ? 'notes' : 'bank-accounts'
  return existsSync(join(root, `packages/contracts/src/${name}.ts`)) ? `${name}-${resource}` : name
}
const contractFile = (name: string) => `packages/contracts/src/${contractOf(name)}.ts`

const newService = (...args: string[]) => run('bun', 'scripts/new-service.ts', '--no-install', ...args)

let answers: Awaited<ReturnType<typeof newService>>[]
beforeAll(async () => {
  const shaped = await newService('identity-manager', '--shape', 'list', '--resource', 'bank-accounts')
  answers = [shaped, await newService('notification')]
})

describe('a service that the script made', () => {
  test('is announced, with the next steps', () => {
    const [shaped, usual] = answers
    expect([shaped?.code, usual?.code]).toEqual([0, 0])
    expect(shaped?.said).toStartWith('services/identity-manager is made; bank-accounts is its example')
    expect(shaped?.said).toContain('--remove identity-manager')
    expect(usual?.said).toContain('| notification | 4014 | http://127.0.0.1:4014/swagger |')
  })

  test('has nothing left of the template', () => {
    const files = [...readTree(workspace)].filter(([path]) => path.startsWith('services/'))
    expect(files.length).toBeGreaterThan(20)
    const leftOver = /sample.?note|transaction-?manager|black-box|\.\.\/contract/i
    expect(files.filter(([path, text]) => leftOver.test(path) || leftOver.test(text))).toEqual([])
  })

  test('passes the type check, and its own tests', async () => {
    // Biome has passed it already: the script ends with an error when it does not.
    const [types, tests] = await Promise.all([
      run('node_modules/.bin/tsc', '--noEmit'),
      run('bun', 'test', '--timeout=60000', 'services'),
    ])
    expect(types).toEqual({ code: 0, said: '' })
    expect(tests.said).toContain('across 4 files')
    expect(tests.code).toBe(0)
  })

  test('has its contract, which is imported, and its event, which is documented', () => {
    const read = (path: string) => readFileSync(join(workspace, path), 'utf8')
    for (const [name, event] of [
      ['identity-manager', 'identity-manager.bank-account.created'],
      ['notification', 'notification.note.created'],
    ] as const) {
      expect(read(contractFile(name))).toContain(`event('${event}'`)
      expect(read('packages/contracts/src/events.ts')).toContain(`import './${contractOf(name)}'\n`)
      expect(read('docs/events.md')).toContain(`[${event}]`)
    }
    const imports: string[] = read('packages/contracts/src/events.ts').match(/^import '.*'$/gm) ?? []
    expect(imports).toEqual(imports.toSorted())
  })

  test('is as tidy as the rest', () => {
    const rules = [...borderRules, ...circleRules, ...packageRules, ...serviceRules, ...wordRules]
    const complaints = (tree: Tree) => rules.flatMap((rule) => rule.complaints(tree))
    const isMade = (path: string) => made.some((name) => path.startsWith(`services/${name}/`))
    const isChanged = (path: string) => ['Procfile', '.env.example'].includes(path)
    const others = [...readTree(root)].filter(([path]) => !isMade(path))
    const before = new Map(others.map(([path, text]) => [path, isChanged(path) ? without(path) : text]))
    const after = [...readTree(workspace)].filter(([path]) => isMade(path) || isChanged(path))
    const found = complaints(new Map([...before, ...after]))
    // Only what the made services brought counts; what was there before is looked up when there is something.
    const known = found.length > 0 ? complaints(before) : []
    expect(found.filter((complaint) => !known.includes(complaint))).toEqual([])
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
    expect(await refusal(free, '--shape', 'xml')).toBe('--shape must be object, list, message, not "xml".\n')
  })

  test('a resource that is no plural in kebab-case', async () => {
    expect(await refusal(free, '--resource', 'Note')).toContain('not "Note".')
  })

  test('a resource whose name has another meaning in a service', async () => {
    expect(await refusal(free, '--resource', 'params')).toContain('needs the name params')
  })

  test('an option that there is not', async () => {
    expect(await refusal(free, '--form', 'x')).toContain("Unknown option '--form'")
  })
})

test('what cannot be finished leaves nothing behind', async () => {
  const table = join(workspace, 'scripts/new-service/template/src/sample-notes/sample-notes.table.ts')
  const text = readFileSync(table, 'utf8')
  const rest = ['Procfile', '.env.example', 'packages/contracts/src/events.ts', 'docs/events.md']
  const read = () => rest.map((path) => readFileSync(join(workspace, path), 'utf8'))
  const before = [...read(), ...readdirSync(join(workspace, 'packages/contracts/src'))]
  writeFileSync(table, `${text}throw new Error('no such luck')\n`)
  const { code, said } = await newService(free)
  writeFileSync(table, text)
  expect([code, existsSync(join(workspace, 'services', free))]).toEqual([1, false])
  expect(said).toContain('drizzle-kit generate --name start failed, and nothing was changed:')
  expect(said).toContain('no such luck')
  expect([...read(), ...readdirSync(join(workspace, 'packages/contracts/src'))]).toEqual(before)
})

describe('--remove', () => {
  const state = () => {
    const files = new Bun.Glob('{packages,scripts,docs,services}/**/*.{ts,md,json,sql}').scanSync(workspace)
    const own = [...files].filter((path) => !path.includes('node_modules'))
    return [...own, 'Procfile', '.env.example']
      .sort()
      .map((path) => [path, Bun.hash(readFileSync(join(workspace, path))).toString()])
  }

  test('takes everything away that making it brought', async () => {
    const before = state()
    expect((await newService(free, '--resource', 'letters')).code).toBe(0)
    expect(state()).not.toEqual(before)
    const { code, said } = await newService('--remove', free)
    expect([code, said]).toEqual([
      0,
      `services/${free} is removed, with its contract and its lines in Procfile and .env.example.\n`,
    ])
    expect(state()).toEqual(before)
  })

  test('refuses while another service uses its contract', async () => {
    const user = join(workspace, 'services/notification/src/user.ts')
    writeFileSync(user, `import '@bursar/contracts/${contractOf('identity-manager')}'\n`)
    const before = state()
    const { code, said } = await newService('--remove', 'identity-manager')
    expect([code, said]).toEqual([
      1,
      'services/notification/src/user.ts uses the contract of identity-manager: change it first.\n',
    ])
    expect(state()).toEqual(before)
    rmSync(user)
  })

  test('refuses a service that is not there, and one that the script did not make', async () => {
    expect(await newService('--remove', free)).toEqual({ code: 1, said: `There is no services/${free}.\n` })
    mkdirSync(join(workspace, 'services', free))
    const { code, said } = await newService('--remove', free)
    expect([code, existsSync(join(workspace, 'services', free))]).toEqual([1, true])
    expect(said).toEndWith('delete it by hand.\n')
    rmSync(join(workspace, 'services', free), { recursive: true })
  })
})

test('--help tells how it is used, and makes nothing', async () => {
  const { code, said } = await newService(free, '--help')
  expect([code, existsSync(join(workspace, 'services', free))]).toEqual([0, false])
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
