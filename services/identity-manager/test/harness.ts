import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RoleName, roleNames } from '@bursar/contracts/identity-manager'
import type { Caller } from '@bursar/http'
import { tempDir } from '@bursar/testing'
import { type Answer, refusedAs, type TestService, testService } from '@bursar/testing/service'
import { config } from '../src/config'
import type { IdentityManagerDeps } from '../src/deps'
import { createMailTransport, type MailTransport } from '../src/mail/mail-transport'
import { startSending } from '../src/mail/sending'
import { answerResetRequests } from '../src/passwords/forgotten'
import type { PasswordHasher } from '../src/passwords/hashing'
import { definition } from '../src/service'

export { nobody, uuidExpected } from '@bursar/testing/service'

export interface TestIdentityManager extends TestService<IdentityManagerDeps> {
  dataDir: string
  /** The number of hashes computed and verified. */
  hashed: { hash: number; verify: number }
  /** The pauses of slowed-down log-ins. */
  pauses: number[]
  logIn(email?: string, password?: string, deviceToken?: string): Promise<Answer>
  /** The mails to an address, oldest first, as files in the data folder, once all are sent. */
  mailsTo(email: string): Promise<string[]>
  /** The token of the last mail to an address. */
  tokenFor(email: string): Promise<string>
  /** A user that has set its password, and its id. */
  member(fields?: Partial<Member>): Promise<Member & { id: string }>
  /** Headers of a user, as the gateway sends them. */
  asUser(user: { id: string; roles?: readonly string[] } & Partial<Caller>): Promise<Record<string, string>>
}

/** The ids that the roles have in every deployment (decisions, Admin role, in its order). */
export const roleIds = Object.fromEntries(
  roleNames.map((name, index) => [name, `01900000-0000-7000-a000-00000000000${index + 1}`]),
) as Record<RoleName, string>

export const admin = { email: 'Admin@Bursar.example', password: 'seven grey herons at dawn' }

interface Member {
  email: string
  password: string
  name: string
  role: RoleName
  participantId: string | null
  custodianId: string | null
}

interface Options {
  env?: Record<string, string>
  /** The addresses of other services; unreachable by default. */
  urls?: Parameters<typeof testService>[0]['urls']
  now?: () => Date
  dataDir?: string
  /** Replaces argon2id. */
  hasher?: PasswordHasher
  show?: (email: string, password: string, console: string) => void
}

/** Sends all mails that are due; the transport stays open. */
export async function sendDue(deps: IdentityManagerDeps, transport: MailTransport): Promise<void> {
  const loop = startSending(deps, { ...transport, close() {} })
  await loop.runDue()
  await loop.stop()
}

/**
 * The real app with its own database, with an administrator. Passwords are hashed by a fast function unless the test
 * passes argon2id.
 */
export async function openService({
  env = {},
  urls,
  now,
  dataDir = tempDir(),
  hasher = quick(),
  show,
}: Options = {}): Promise<TestIdentityManager> {
  const hashed = { hash: 0, verify: 0 }
  const counting: PasswordHasher = {
    hash: (password) => {
      hashed.hash++
      return hasher.hash(password)
    },
    verify: (password, hash) => {
      hashed.verify++
      return hasher.verify(password, hash)
    },
  }
  const settings = config({ DATA_DIR: dataDir, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, ...env })
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  const made = definition(settings, { now, hasher: counting, show, pause })
  const service = await testService({ name: 'identity-manager', definition: made, dataDir, urls })
  const arrivals = mailsOf(join(dataDir, 'mail'))
  const all: TestIdentityManager = {
    ...service,
    dataDir,
    hashed,
    pauses,
    logIn: (email = admin.email, password = admin.password, deviceToken) =>
      service.post('/auth/login', { email, password, deviceToken }),
    async mailsTo(email) {
      await answerResetRequests(service.deps)
      await sendDue(service.deps, createMailTransport(settings))
      return arrivals().filter((mail) => mail.includes(`\r\nTo: ${email}\r\n`))
    },
    async tokenFor(email) {
      const [, token] = /password#([\w-]{20,})/.exec((await all.mailsTo(email)).at(-1) ?? '') ?? []
      if (token === undefined) throw new Error(`The last mail to ${email} has no token`)
      return token
    },
    async member(fields = {}) {
      const name = `Member ${++members}`
      const email = `member-${members}@bank.example`
      const member: Member = {
        email,
        name,
        password: 'twelve brass lanterns',
        role: fields.participantId ? 'participant-user' : 'operator',
        participantId: null,
        custodianId: null,
        ...fields,
      }
      const { password, role, ...user } = member
      const body = { ...user, roleNames: [role] }
      const { id } = await service.create('/internal/users', body, await service.asService('main-api'))
      const answer = await service.post(`/auth/change-password/${await all.tokenFor(member.email)}`, { password })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      return { ...member, id }
    },
    asUser: ({ id, ...caller }) => service.as({ kind: 'user', subject: id, roles: [], ...caller }),
  }
  return all
}

let members = 0

/** Reads the mails of a folder, in the order of their appearance: with a fixed clock, ids have no order. */
function mailsOf(folder: string): () => string[] {
  const mails = new Map<string, string>()
  return () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.eml') && !mails.has(name))
    for (const name of names.sort()) mails.set(name, readFileSync(join(folder, name), 'utf8'))
    return [...mails.values()]
  }
}

/** A fast hash, unsuitable for real passwords. */
function quick(): PasswordHasher {
  const of = (password: string) => new Bun.CryptoHasher('sha256').update(password).digest('hex')
  return { hash: async (password) => of(password), verify: async (password, hash) => of(password) === hash }
}

/** A participant with an admin and a user, and their headers. */
export async function participant(service: TestIdentityManager) {
  const participantId = Bun.randomUUIDv7()
  const manager = await service.member({ participantId, role: 'participant-admin' })
  const member = await service.member({ participantId })
  return {
    participantId,
    manager,
    member,
    asManager: await service.asUser({ ...manager, roles: [manager.role] }),
    asMember: await service.asUser({ ...member, roles: [member.role] }),
  }
}

/** The error of a response; checks the rest of its body (spec 3, Errors). */
export const refused = refusedAs('object')
