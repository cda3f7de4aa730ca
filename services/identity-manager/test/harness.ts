import { tempDir } from '@bursar/testing'
import { type Answer, refusedAs, type TestService, testService } from '@bursar/testing/service'
import { config } from '../src/config'
import type { IdentityManagerDeps } from '../src/deps'
import type { PasswordHasher } from '../src/passwords/hashing'
import { definition } from '../src/service'

export { nobody, uuidExpected } from '@bursar/testing/service'

export interface TestIdentityManager extends TestService<IdentityManagerDeps> {
  dataDir: string
  /** How many hashes were made and verified. */
  hashed: { hash: number; verify: number }
  logIn(email?: string, password?: string): Promise<Answer>
}

export const admin = { email: 'Admin@Bursar.example', password: 'seven grey herons at dawn' }

interface Options {
  env?: Record<string, string>
  now?: () => Date
  dataDir?: string
  /** Takes the place of argon2id. */
  hasher?: PasswordHasher
  show?: (email: string, password: string) => void
}

/**
 * The real app on a database of its own, with an administrator. Passwords are hashed by what is quick, unless the test
 * brings argon2id: it is about what is done with the hashes.
 */
export async function openService({ env = {}, now, dataDir = tempDir(), hasher = quick(), show }: Options = {}) {
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
  const made = definition(settings, { now, hasher: counting, show })
  const service = await testService({ name: 'identity-manager', definition: made, dataDir })
  const logIn = ({ email, password } = admin) => service.post('/auth/login', { email, password })
  const all: TestIdentityManager = {
    ...service,
    dataDir,
    hashed,
    logIn: (email = admin.email, password = admin.password) => logIn({ email, password }),
  }
  return all
}

/** Not for passwords: as quick as hashes of files are. */
function quick(): PasswordHasher {
  const of = (password: string) => new Bun.CryptoHasher('sha256').update(password).digest('hex')
  return { hash: async (password) => of(password), verify: async (password, hash) => of(password) === hash }
}

/** The error of an answer, after a look at the rest of its body (spec 3, Errors). */
export const refused = refusedAs('object')
