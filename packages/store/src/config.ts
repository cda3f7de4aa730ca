/**
 * Which database the tables of this process are declared for: PostgreSQL in tests that name a server. Services start on SQLite
 * alone.
 */
export const dialect: 'sqlite' | 'postgresql' = /^postgres(ql)?:/.test(process.env.TEST_DATABASE_URL ?? '')
  ? 'postgresql'
  : 'sqlite'
