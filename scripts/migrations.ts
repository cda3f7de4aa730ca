// `bun run --cwd services/<name> migrations --name what_it_is`: makes the migrations of the service's tables, by drizzle-kit, for SQLite and
// for PostgreSQL: the same changes, with the same names.
const engines = [{}, { DATABASE_URL: 'postgres://127.0.0.1/any' }]

for (const engine of engines) {
  const { DATABASE_URL: _, ...env } = process.env
  const made = Bun.spawnSync(['drizzle-kit', 'generate', ...process.argv.slice(2)], {
    env: { ...env, ...engine },
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  if (made.exitCode !== 0) process.exit(made.exitCode)
}
