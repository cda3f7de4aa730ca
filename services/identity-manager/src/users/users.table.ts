import type { RoleName, UserStatus } from '@bursar/contracts/identity-manager'
import { boolean, index, json, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Users of the administration, of participants and of custodian banks. Ids are UUID v7: they sort by age. */
export const users = table(
  'users',
  {
    id: text().primaryKey(),
    /** As given; mails are sent there. */
    email: text().notNull(),
    /** The same in lower case. */
    emailKey: text().notNull(),
    name: text().notNull(),
    status: text().$type<UserStatus>().notNull(),
    roles: json<RoleName[]>().notNull(),
    /** Whether `admin` is among the roles: the last of them cannot be removed. */
    isAdministrator: boolean().notNull(),
    participantId: text(),
    custodianId: text(),
    /** argon2id; null until a password is set. */
    passwordHash: text(),
    /** Another person chose the password, or requires a new one. */
    mustChangePassword: boolean().notNull().default(false),
    /** The name and the address, case-folded, for searches. */
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
