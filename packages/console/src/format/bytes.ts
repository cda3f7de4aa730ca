const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `812 B`, `1.4 KiB`, `10 MiB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
