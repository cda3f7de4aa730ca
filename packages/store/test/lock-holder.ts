import { FileLockedError, lockFile } from '../src/index'

/** Takes the lock of a path, says so, and keeps it until its input ends; ends with 3 and the sentence when refused. */
try {
  lockFile(process.argv[2] ?? '', 'The database')
  process.stdout.write('held\n')
  await Bun.stdin.text()
} catch (error) {
  if (!(error instanceof FileLockedError)) throw error
  process.stdout.write(`${error.message}\n`)
  process.exitCode = 3
}
