// A thread that folds a database's log into its file.
import { Database } from 'bun:sqlite'

declare const self: Worker

let db: Database | undefined

self.onmessage = ({ data: file }: MessageEvent<string>) => {
  db ??= new Database(file)
  db.run('PRAGMA wal_checkpoint(PASSIVE)')
  self.postMessage('done')
}
