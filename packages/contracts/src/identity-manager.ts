import { readCall, writeCall } from './call'
import { event } from './event'
import { changeMark, changesCall } from './replica'
import { about, nullable, oneOf, type Static, t, text, timestamp, uuid } from './schema'

/** The scope of a user: administration, a participant institution, or a custodian bank. */
export const roleScopes = ['admin', 'participant', 'custodian'] as const
export type RoleScope = (typeof roleScopes)[number]

/** The seeded roles (decisions, Admin role); `roles` of a caller are these names. */
export const roleNames = [
  'admin',
  'operator',
  'viewer',
  'participant-admin',
  'participant-user',
  'custodian-admin',
  'custodian-user',
] as const
export type RoleName = (typeof roleNames)[number]

export const Role = t.Object(
  {
    id: uuid(),
    name: oneOf(roleNames),
    permissions: about('What its users may do, as `resource:action`', t.Array(t.String())),
  },
  { title: 'Role' },
)
export type Role = Static<typeof Role>

/** INVITED: no password was set yet. ACTIVE: may log in. DISABLED: may not, until made ACTIVE again. */
export const userStatuses = ['INVITED', 'ACTIVE', 'DISABLED'] as const
export type UserStatus = (typeof userStatuses)[number]

/**
 * The addresses that HTML accepts, ASCII only: addresses that look alike, or fold to the same, need not belong to the
 * same person.
 */
const emailPattern =
  "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$"
const longestEmail = 254

/** True for an address that mail can be sent to. */
export const isEmailAddress = (value: string): boolean =>
  value.length <= longestEmail && new RegExp(emailPattern).test(value)

/** An address of a user, case-insensitive. */
export const emailAddress = () =>
  t.String({
    minLength: 1,
    maxLength: longestEmail,
    pattern: emailPattern,
    patternProblem: 'must be an e-mail address',
    description: 'The e-mail address for log-ins; unique in any case',
  })

/** A user (spec 3, Admin user; decisions: one table for administration, participants and custodians). */
export const User = t.Object(
  {
    id: uuid(),
    email: about('The e-mail address for log-ins', t.String()),
    name: t.String(),
    status: about('INVITED until a password is set; DISABLED users cannot log in', oneOf(userStatuses)),
    roles: about('The names of its roles', t.Array(oneOf(roleNames))),
    participantId: about('The participant that it belongs to; null for none', nullable(uuid())),
    custodianId: about('The custodian bank that it belongs to; null for none', nullable(uuid())),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'User' },
)
export type User = Static<typeof User>

/** A user as it sees itself, and as those who manage it do. */
export const KnownUser = t.Object(
  {
    ...User.properties,
    mustChangePassword: about('Whether the console asks it for a new password before anything else', t.Boolean()),
  },
  { title: 'KnownUser' },
)
export type KnownUser = Static<typeof KnownUser>

/** For other services only: a user to invite by mail. Its roles must be of the scope that its owner makes. */
export const Invitation = t.Object({
  email: emailAddress(),
  name: text(255),
  roleIds: t.Optional(t.Array(uuid(), { minItems: 1, maxItems: 10 })),
  /** The names of roles, instead of ids. */
  roleNames: t.Optional(t.Array(oneOf(roleNames), { minItems: 1, maxItems: 10 })),
  participantId: nullable(uuid()),
  custodianId: nullable(uuid()),
})
export type Invitation = Static<typeof Invitation>

/** For other services only: the fields of a user that change. A role or status that changes ends its sessions. */
export const UserChanges = t.Object({
  email: t.Optional(emailAddress()),
  name: t.Optional(text(255)),
  roleIds: t.Optional(t.Array(uuid(), { minItems: 1, maxItems: 10 })),
  status: t.Optional(oneOf(['ACTIVE', 'DISABLED'] as const)),
})
export type UserChanges = Static<typeof UserChanges>

const pageOfUsers = t.Object({
  data: t.Array(User),
  pageInfo: t.Object({ limit: t.Integer(), offset: t.Integer(), total: t.Integer() }),
})

/** For other services only: users, oldest first. Query: `limit`, `offset`, and one of `participantId`, `custodianId`. */
export const listUsers = readCall('identity-manager', 'GET', '/internal/users', pageOfUsers)
/** 404 when there is no such user. */
export const getUser = readCall('identity-manager', 'GET', '/internal/users/:id', User)
/** For the gateway: the user of a session. 404 for an unknown user. */
export const getKnownUser = readCall('identity-manager', 'GET', '/internal/users/:id/known', KnownUser)
/** 201; 409 when the address is taken, 400 for an unknown role or one of another scope. */
export const inviteUser = writeCall('identity-manager', 'POST', '/internal/users', Invitation, User)
/** 404 unknown user, 409 the address is taken, 400 unknown role. */
export const changeUser = writeCall('identity-manager', 'PUT', '/internal/users/:id', UserChanges, User)
/** Ends its sessions; 404 when there is no such user, 409 for the last administrator. */
export const deleteUser = readCall(
  'identity-manager',
  'DELETE',
  '/internal/users/:id',
  t.Object({ success: t.Literal(true), message: t.String() }),
)
/** All roles, or those of a scope. Query: `scope`. */
export const listRoles = readCall('identity-manager', 'GET', '/internal/roles', t.Array(Role))

/** A JSON Web Key of EdDSA: public. */
export const PublicKey = t.Object(
  {
    kty: about('The family of the key', t.Literal('OKP')),
    crv: about('Its curve', t.Literal('Ed25519')),
    x: about('The public key, in base64url', t.String()),
    kid: about('Its id: the `kid` of tokens that it signed', t.String()),
    alg: about('How it signs', t.Literal('EdDSA')),
    use: about('What for: signatures', t.Literal('sig')),
  },
  { title: 'PublicKey' },
)
/** The keys that access tokens are verified with: the one that signs, the one that will sign next, and those whose tokens still live. */
export const getPublicKeys = readCall(
  'identity-manager',
  'GET',
  '/v1/.well-known/jwks.json',
  t.Object({ keys: about('The public keys, oldest first', t.Array(PublicKey)) }, { title: 'PublicKeys' }),
)
export const KeyRotation = t.Object({ dropRetired: t.Optional(t.Boolean()) })
/**
 * For `bun run rotate tokens`: the next key signs from now on. `dropRetired` takes back all keys before, and with
 * them every access token that they have signed.
 */
export const rotateSigningKeys = writeCall(
  'identity-manager',
  'POST',
  '/internal/signing-keys/rotate',
  KeyRotation,
  t.Object({ kid: t.String() }),
)

const Principal = t.Object(
  { id: User.properties.id, email: User.properties.email, name: User.properties.name, roles: User.properties.roles },
  { title: 'Principal' },
)

/** The answer to a log-in or a refresh (spec 3, Identity manager). */
export const Tokens = t.Object(
  {
    data: about(
      'The tokens, and whose they are',
      t.Object(
        {
          accessToken: about('Sent as `Authorization: Bearer …`: a JWT, signed with EdDSA', t.String()),
          refreshToken: about('Gets the next access token, once: POST /auth/refresh', t.String()),
          expiresIn: about('How long the access token lives, in seconds', t.Integer()),
          user: about('The user that is logged in', Principal),
        },
        { title: 'Tokens' },
      ),
    ),
  },
  { title: 'TokensAnswer' },
)
export type Tokens = Static<typeof Tokens>

/** The answer to a log-in of a user with a second factor, instead of tokens: POST /auth/mfa takes the code. */
export const MfaRequired = t.Object(
  {
    data: t.Object(
      {
        mfaRequired: about('A code of the second factor is asked for', t.Literal(true)),
        challenge: about('Sent back with it', t.String()),
        methods: about(
          'What the user has set up: an authenticator’s `code`, a `passkey`. Recovery codes stand in for either',
          t.Array(oneOf(['code', 'passkey'])),
        ),
        expiresIn: about('For how long, in seconds', t.Integer()),
      },
      { title: 'MfaChallenge' },
    ),
  },
  { title: 'MfaRequired' },
)
export type MfaRequired = Static<typeof MfaRequired>

const refreshToken = t.Object({ refreshToken: t.String() })
/** 401 when the refresh token is not valid. The same again within ten seconds gets the same answer. */
export const refreshTokens = writeCall('identity-manager', 'POST', '/v1/auth/refresh', refreshToken, Tokens)
/** Ends the session of a refresh token, whether it is valid or not. */
export const logOut = writeCall('identity-manager', 'POST', '/v1/auth/logout', refreshToken, t.Unknown())

/** The issuer and the audience of access tokens. */
export const accessTokenIssuer = 'bursar'
export const accessTokenAudience = 'bursar-gateway'

/** The claims of an access token (JWT, EdDSA, `kid` in its header); `sub` is the user's id. */
export const AccessTokenClaims = t.Object({
  sub: uuid(),
  /** The token's session: it is revoked with it. */
  sid: uuid(),
  roles: t.Array(oneOf(roleNames), { maxItems: 10 }),
  participantId: nullable(uuid()),
  custodianId: nullable(uuid()),
  /** The user must set up a second factor, and can do nothing else before. */
  mustEnrol: t.Optional(t.Literal(true)),
  iat: t.Integer(),
  exp: t.Integer(),
})

/** A session that ended before its access tokens do. */
export const Revocation = t.Object({
  /** The session's id. */
  id: uuid(),
  userId: uuid(),
  revokedAt: timestamp(),
  /** When all its access tokens have expired, and the revocation can be deleted. */
  until: timestamp(),
})
export type Revocation = Static<typeof Revocation>

/** A session was ended: by logout, a new password, a reused refresh token, a change of its user, or an administrator. */
export const SessionRevoked = event(
  'identity-manager.session.revoked',
  t.Object({ ...Revocation.properties, ...changeMark }),
  { consumers: ['gateway'] },
)
/** For other services only: the revocations whose tokens may still live. */
export const revocationChanges = changesCall('identity-manager', '/internal/revocations/changes', Revocation)
