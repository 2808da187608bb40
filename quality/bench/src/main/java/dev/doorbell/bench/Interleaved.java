package dev.doorbell.bench;

import java.util.ArrayList;
import java.util.List;

/** Takes rounds of several measurements in turn, so that whatever else the machine does meets all of them alike. */
public final class Interleaved {
    private final List<Measurement> measurements;

    public Interleaved(List<Measurement> measurements) {
        this.measurements = List.copyOf(measurements);
    }

    /** Runs each measurement without keeping what it gave, until the compilers are done with it. */
    public void warmUp(int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (Measurement measurement : measurements) {
                double _ = measurement.round();
            }
        }
    }

    /** One figure for each measurement, in their order. */
    public List<Figure> run(int rounds) {
        List<List<Double>> values = new ArrayList<>();
        measurements.forEach(measurement -> values.add(new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < measurements.size(); i++) {
                values.get(i).add(measurements.get(i).round());
            }
        }
        List<Figure> figures = new ArrayList<>();
        for (int i = 0; i < measurements.size(); i++) {
            figures.add(new Figure(measurements.get(i).name(), values.get(i)));
        }
        return figures;
    }
}
