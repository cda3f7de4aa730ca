import type { RoleName } from '@bursar/contracts/identity-manager'
import type { TestPlatform } from '@bursar/testing/platform'
import { type Caller, callerAt } from '../../scripts/demo/gateway'
import { invitationTokenOf } from '../../scripts/demo/invitation'

/** Who works with the console. */
export interface Person {
  email: string
  password: string
}

/** An institution or a custodian bank, for people who work there. */
interface Organisation {
  participantId?: string
  custodianId?: string
}

const password = 'four patient herons at the weir'

/** An access token of the administrator is valid for 15 minutes. */
const goodForMs = 10 * 60_000

/**
 * Makes users of the administration or of an `organisation`: invited by the administrator, whose one log-in serves all of them, and with a
 * password that they have set by their invitation.
 */
export function hiring({ url, env, dataDir }: TestPlatform, administrator: Person) {
  const as = callerAt(url('gateway'))
  let people = 0
  let office: Promise<Office> | undefined
  let openedAt = 0

  /** The administrator, logged in, and the roles that can be given. */
  function currentOffice(): Promise<Office> {
    if (office && performance.now() - openedAt < goodForMs) return office
    openedAt = performance.now()
    office = openOffice(as, administrator)
    return office
  }

  return async (role: RoleName, name: string, organisation: Organisation = {}): Promise<Person> => {
    const email = `${role}-${++people}@bursar.example`
    const { admin, roles } = await currentOffice()
    await admin.ask('POST /identity/v1/users', { body: { email, name, roleId: roles.get(role), ...organisation } })
    const token = await invitationTokenOf(env.DATA_DIR ?? dataDir, email)
    await as({}).ask(`POST /identity/v1/auth/change-password/${token}`, { body: { password } })
    return { email, password }
  }
}

interface Office {
  admin: Caller
  /** Ids by name. */
  roles: ReadonlyMap<string, string>
}

async function openOffice(as: ReturnType<typeof callerAt>, administrator: Person): Promise<Office> {
  const { data } = await as({}).ask<{ data: { accessToken: string } }>('POST /identity/v1/auth/login', {
    body: administrator,
  })
  const admin = as({ token: data.accessToken })
  const { data: roles } = await admin.ask<{ data: { id: string; name: string }[] }>('GET /main/v1/admin/roles')
  return { admin, roles: new Map(roles.map(({ id, name }) => [name, id])) }
}
