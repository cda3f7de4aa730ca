/** Which database the tables of this process are declared for: PostgreSQL where DATABASE_URL names one. */
export const dialect: 'sqlite' | 'postgresql' = /^postgres(ql)?:/.test(process.env.DATABASE_URL ?? '')
  ? 'postgresql'
  : 'sqlite'
