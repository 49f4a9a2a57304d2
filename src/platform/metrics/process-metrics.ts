import { steady } from "../clock.ts";
import { droppedLines } from "../log-destination.ts";
import { Histogram } from "./histogram.ts";
import { metric, type Metric } from "./metric.ts";

const SAMPLE_MS = 20;
const DELAYS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Measures fifty times a second how late a timer is, because the event loop was busy. */
export function watchEventLoop(): { metrics: () => Metric[]; stop: () => void } {
  const delays = new Histogram(DELAYS);
  let expected = steady() + SAMPLE_MS;
  const timer = setInterval(() => {
    const time = steady();
    delays.note(Math.max(0, time - expected) / 1_000);
    expected = time + SAMPLE_MS;
  }, SAMPLE_MS).unref();
  return {
    metrics: () => [
      metric(
        "liaison_event_loop_delay_seconds",
        "How late the event loop came to a timer.",
        "histogram",
        delays.samples({}),
      ),
    ],
    stop: () => clearInterval(timer),
  };
}

/** The machine's numbers about this process, under Prometheus' standard names. */
export function processMetrics(): Metric[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const started = performance.timeOrigin / 1_000;
  return [
    metric("process_cpu_seconds_total", "Processor time, of the processes together.", "counter", (user + system) / 1e6),
    metric("process_resident_memory_bytes", "Memory, of the processes together.", "gauge", rss),
    metric("nodejs_heap_size_used_bytes", "Of it, JavaScript's heap in use.", "gauge", heapUsed),
    {
      ...metric("process_start_time_seconds", "When the latest of the processes was started.", "gauge", started),
      together: "max",
    },
    metric(
      "liaison_log_lines_dropped_total",
      "Lines of the log that could not be written and were dropped.",
      "counter",
      droppedLines(),
    ),
    metric("liaison_processes", "Processes that answer.", "gauge", 1),
  ];
}
