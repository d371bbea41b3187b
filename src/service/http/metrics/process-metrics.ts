/** Figures of this process, under the names that Prometheus' client libraries use. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import packageFile from '../../../../package.json' with { type: 'json' }
import { writeFamily, type Family } from './exposition.ts'

const samplingMs = 20

export class ProcessMetrics {
  readonly #delays: ReturnType<typeof monitorEventLoopDelay>
  readonly #startedAtSeconds: number

  /** Starts sampling the event loop. @param nowMs  Unix time */
  constructor(nowMs: number) {
    this.#delays = monitorEventLoopDelay({ resolution: samplingMs })
    this.#delays.enable()
    this.#startedAtSeconds = nowMs / 1000 - process.uptime()
  }

  /** Starts a new measurement of the event loop. */
  text(): string {
    const { user, system } = process.cpuUsage()
    const families: Family[] = [
      {
        name: 'modelport_build_info',
        type: 'gauge',
        help: 'Always 1. The running version.',
        samples: [
          { labels: { version: packageFile.version, node: process.versions.node }, value: 1 },
        ],
      },
      {
        ...one('process_cpu_seconds_total', 'User and system time.', (user + system) / 1e6),
        type: 'counter',
      },
      one('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
      one('process_start_time_seconds', 'Unix time of the start.', this.#startedAtSeconds),
      ...this.#loopFamilies(),
    ]
    this.#delays.reset()
    return families.map(writeFamily).join('')
  }

  close(): void {
    this.#delays.disable()
  }

  #loopFamilies(): Family[] {
    const delays = this.#delays
    // The histogram holds the time between two samples.
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - samplingMs / 1000)
    const since = 'of the event loop since the last scrape.'
    return [
      one(
        'nodejs_eventloop_lag_p50_seconds',
        `Median delay ${since}`,
        seconds(delays.percentile(50)),
      ),
      one(
        'nodejs_eventloop_lag_p90_seconds',
        `90 % delay ${since}`,
        seconds(delays.percentile(90)),
      ),
      one(
        'nodejs_eventloop_lag_p99_seconds',
        `99 % delay ${since}`,
        seconds(delays.percentile(99)),
      ),
      one('nodejs_eventloop_lag_max_seconds', `Greatest delay ${since}`, seconds(delays.max)),
    ]
  }
}

function one(name: string, help: string, value: number): Family {
  return { name, type: 'gauge', help, samples: [{ value }] }
}
