import type { RoleName, UserStatus } from '@bursar/contracts/identity-manager'
import { boolean, index, json, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Users of the administration, of participants and of custodian banks. Ids are UUID v7: their order is the age. */
export const users = table(
  'users',
  {
    id: text().primaryKey(),
    /** As it was given; mails go there. */
    email: text().notNull(),
    /** The same in lower case. */
    emailKey: text().notNull(),
    name: text().notNull(),
    status: text().$type<UserStatus>().notNull(),
    roles: json<RoleName[]>().notNull(),
    /** Whether `admin` is among the roles: the last of them is kept. */
    isAdministrator: boolean().notNull(),
    participantId: text(),
    custodianId: text(),
    /** argon2id; null until a password is set. */
    passwordHash: text(),
    /** Somebody else has chosen the password, or has asked for another one. */
    mustChangePassword: boolean().notNull().default(false),
    /** The name and the address, folded: what a search looks into. */
    searchText: text().notNull().default(''),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    deletedAt: timestamp(),
  },
  (table) => [
    uniqueIndex('users_email').on(table.emailKey).where(sql`${table.deletedAt} is null`),
    index('users_search_text').on(table.searchText).where(sql`${table.deletedAt} is null`),
    index('users_participant').on(table.participantId, table.id),
    index('users_custodian').on(table.custodianId, table.id),
    index('users_administrators').on(table.isAdministrator, table.id),
  ],
)
