import { soon } from '../seed/platform'
import type { Caller } from './gateway'
import { invitationTokenOf } from './invitation'
import type { Institution, World } from './world'

const password = 'nine quiet lanterns by the harbour'

interface Tokens {
  data: { accessToken: string; user: { id: string; name: string } }
}
interface Pfi {
  id: string
  status: string
  admission: { status: string; problem: string | null }
}

/** The administrator, logged in. */
export async function logInAdministrator({ as, admin, say }: World): Promise<Caller> {
  const { data } = await as({}).ask<Tokens>('POST /identity/v1/auth/login', { body: admin })
  say(`${data.user.name} has logged in`)
  return as({ token: data.accessToken })
}

/** An institution registers, and is reviewed and approved. */
export async function admitInstitution({ as, run, say }: World, admin: Caller, name: string, email: string) {
  const registered = await as({}).ask<Pfi>('POST /main/v1/participants', {
    body: {
      name: `${name} ${run}`,
      email,
      country: 'US',
      businessType: 'BANK',
      registrationNumber: `84-${run}`,
      address: { street: '1 Shore Drive', city: 'Chicago', state: 'IL', zipCode: '60601', country: 'US' },
    },
  })
  say(`${name} has registered; its review is ${registered.status}`)
  const move = (status: string, comments: string) =>
    admin.ask<Pfi>(`PUT /main/v1/admin/pfi/${registered.id}/status`, { body: { status, comments } })
  await move('UNDER_REVIEW', 'Documents requested')
  await move('APPROVED', 'Documents seen')
  await soon(`The admission of ${name} at the participant service`, async () => {
    const { admission } = await admin.ask<Pfi>(`GET /main/v1/admin/pfi/${registered.id}`)
    return admission.status === 'DONE' ? admission : undefined
  })
  say(`${name} was reviewed and APPROVED, and is a participant under the same id`)
  return registered.id
}

/** A participant institution with a user of its own, who set a password, logged in and issued an API key. */
export async function onboard(world: World, admin: Caller): Promise<Institution> {
  const { as, env, run, say } = world
  const name = 'Lakeside Payments'
  const email = `treasury-${run}@lakeside.example`
  const id = await admitInstitution(world, admin, name, email)
  const invitation = await invitationTokenOf(env.DATA_DIR || 'data', email, env.MAIL_DIR || undefined)
  await as({}).ask(`POST /identity/v1/auth/change-password/${invitation}`, { body: { password } })
  const { data } = await as({}).ask<Tokens>('POST /identity/v1/auth/login', { body: { email, password } })
  const token = data.accessToken
  say('Its first user was invited by mail, has set a password and logged in')
  const issued = await as({ token }).ask<{ data: { apiKey: string; expirationDate: string } }>(
    'POST /main/v1/participants/api-key',
    { body: { expirationDate: 365 }, key: `demo-key-${id}` },
  )
  const { apiKey, expirationDate } = issued.data
  say(`It has an API key, ${apiKey.slice(0, 12)}…, valid until ${expirationDate.slice(0, 10)}`)
  return { id, name, user: as({ token, apiKey }), program: as({ apiKey }) }
}
